/**
 * What a process counts. Instruments are made before prom-client is loaded, which takes longer than a worker may take to
 * resume the plans of a dead one; `createMetrics` gives them to its registry. Each has a bounded number of series.
 */

/** Values of the labels, in their order. */
export type LabelValues = readonly string[];

export interface About {
  name: string;
  /** What it counts, for people; also the text of docs/reference/metrics.md. */
  help: string;
  labels?: readonly string[];
  /** Read from a database, so every process reports the same; what a process counts otherwise is its own. */
  isShared?: boolean;
}

export interface Counter {
  /** Adds 1, or `by`, to the series of the values. */
  add(values?: LabelValues, by?: number): void;
}

export interface Histogram {
  observe(value: number, values?: LabelValues): void;
  /** The series of these label values, for callers that observe often and would look it up each time. */
  series(values: LabelValues): { observe(value: number): void };
}

/** A value at the moment of a scrape. `set` is valid while `fill` runs; a series that is not set is left out. */
export type Fill = (set: (value: number, values?: LabelValues) => void) => void | Promise<void>;

/** A counter or histogram that is asked for a second time, by another part of the process, is the same one. */
export interface Instruments {
  counter(about: About): Counter;
  histogram(about: About & { buckets: readonly number[] }): Histogram;
  gauge(about: About, fill: Fill): void;
  /** A number that only rises and that somebody else counts. */
  readCounter(about: About, fill: Fill): void;
  /** All of them, in the form in which prom-client's registry reads its own. */
  all(): readonly Instrument[];
}

export interface Sample {
  metricName?: string;
  labels: Record<string, string>;
  value: number;
}

export interface Instrument {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  labels: readonly string[];
  isShared: boolean;
  get(): Promise<{ name: string; help: string; type: string; values: Sample[] }>;
}

/** Series of one instrument; what is more is counted in the series `other`. */
export const maxSeries = 2_000;

/** Stands for every value beyond a bound. */
export const otherValue = "other";

export function createInstruments(): Instruments {
  const all = new Map<string, Instrument>();
  const counters = new Map<string, Counter>();
  const histograms = new Map<string, Histogram>();
  const add = (instrument: Instrument): void => {
    if (all.has(instrument.name)) throw new Error(`There are two metrics ${instrument.name}.`);
    all.set(instrument.name, instrument);
  };
  const once = <T>(known: Map<string, T>, { name }: About, make: () => T): T => {
    const made = known.get(name) ?? make();
    known.set(name, made);
    return made;
  };
  return {
    counter: (about) => once(counters, about, () => createCounter(about, add)),
    histogram: (about) => once(histograms, about, () => createHistogram(about, add)),
    gauge: (about, fill) => add(instrumentOf(about, "gauge", () => filledSamples(about, fill))),
    readCounter: (about, fill) => add(instrumentOf(about, "counter", () => filledSamples(about, fill))),
    all: () => [...all.values()],
  };
}

type Add = (instrument: Instrument) => void;

function createCounter(about: About, add: Add): Counter {
  const series = createSeries(about, () => ({ value: 0 }));
  const read = async (): Promise<Sample[]> =>
    series.all().map(({ labels, state }) => ({ labels, value: state.value }));
  add(instrumentOf(about, "counter", read));
  return { add: (values = [], by = 1) => void (series.of(values).value += by) };
}

function createHistogram(about: About & { buckets: readonly number[] }, add: Add): Histogram {
  const { buckets } = about;
  const series = createSeries(about, () => ({ counts: buckets.map(() => 0), sum: 0, count: 0 }));
  const read = async (): Promise<Sample[]> =>
    series.all().flatMap(({ labels, state }) => histogramSamples(about, labels, state));
  add(instrumentOf(about, "histogram", read));
  const count = (state: HistogramState, value: number): void => {
    const at = buckets.findIndex((bound) => value <= bound);
    if (at !== -1) state.counts[at] = (state.counts[at] ?? 0) + 1;
    state.sum += value;
    state.count += 1;
  };
  return {
    observe: (value, values = []) => count(series.of(values), value),
    series(values) {
      const state = series.of(values);
      return { observe: (value) => count(state, value) };
    },
  };
}

const instrumentOf = (
  { name, help, labels = [], isShared = false }: About,
  type: Instrument["type"],
  read: () => Promise<Sample[]>,
): Instrument => ({
  name,
  help,
  type,
  labels,
  isShared,
  get: async () => ({ name, help, type, values: await read() }),
});

async function filledSamples(about: About, fill: Fill): Promise<Sample[]> {
  const series = createSeries(about, () => ({ value: 0 }), { isEmpty: true });
  await fill((value, values = []) => void (series.of(values).value = value));
  return series.all().map(({ labels, state }) => ({ labels, value: state.value }));
}

interface HistogramState {
  /** Of each bucket alone; the text has sums. */
  counts: number[];
  sum: number;
  count: number;
}

function histogramSamples(
  { name, buckets }: { name: string; buckets: readonly number[] },
  labels: Record<string, string>,
  { counts, sum, count }: HistogramState,
): Sample[] {
  let below = 0;
  const samples = buckets.map((bound, at): Sample => {
    below += counts[at] ?? 0;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: String(bound) }, value: below };
  });
  return [
    ...samples,
    { metricName: `${name}_bucket`, labels: { ...labels, le: "+Inf" }, value: count },
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}

/** Between the values of a key; no label has it. */
const separator = "\u0000";

/** The states of an instrument's series. One without labels has its series from the beginning, unless told otherwise. */
function createSeries<State>(
  { name, labels = [] }: About,
  create: () => State,
  { isEmpty = labels.length > 0 }: { isEmpty?: boolean } = {},
) {
  const known = new Map<string, { labels: Record<string, string>; state: State }>();
  const enter = (key: string, values: LabelValues): State => {
    if (values.length !== labels.length)
      throw new TypeError(`${name} has the labels ${labels.join(", ")}, not ${values.length} values.`);
    const state = create();
    known.set(key, {
      labels: Object.fromEntries(labels.map((label, at) => [label, values[at] ?? ""])),
      state,
    });
    return state;
  };
  const of = (values: LabelValues): State => {
    const key = values.join(separator);
    const found = known.get(key);
    if (found) return found.state;
    if (known.size < maxSeries || labels.length === 0) return enter(key, values);
    const others = labels.map(() => otherValue);
    const otherKey = others.join(separator);
    return known.get(otherKey)?.state ?? enter(otherKey, others);
  };
  if (!isEmpty) of([]);
  return { of, all: () => [...known.values()] };
}

/** Passes on the first `max` different values, and `other` for the rest: for ids that users choose. */
export function boundValues(max: number): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.has(value)) return value;
    if (known.size >= max) return otherValue;
    known.add(value);
    return value;
  };
}
