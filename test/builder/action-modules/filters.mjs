/** Filters and globals for templates, in the plain shape. */
export const templateFilters = {
  shipName: (input, prefix = "SS") => `${prefix} ${String(input).toUpperCase()}`,
  upper: (input) => `taken over: ${input}`,
  later: async (input) => input,
  broken: 7,
  endless: () => {
    for (;;);
  },
};

export const templateGlobals = {
  harbour: { name: "Genoa", berths: 12 },
  berthOf: (ship) => String(ship).length,
};
