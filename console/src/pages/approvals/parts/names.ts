import { momentText, referenceText } from "../../../parts/values/text.ts";

/** `urn:dmb:dp:mobility:fleet-positions:0` is read as `fleet-positions`, a component's id as its last part. */
export const shortName = (id: string): string => {
  const parts = id.split(":");
  const isUnit = parts[2] === "dp" && parts.length > 4;
  return (isUnit ? parts.at(-2) : parts.at(-1)) ?? id;
};

/** A sentence of the server with times in the reader's zone, and short names of people. */
export const readable = (sentence: string): string =>
  sentence
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (at) => momentText(Date.parse(at)))
    .replaceAll(/\b(?:user|group|service):default\/[\w.-]*\w/g, referenceText);

/** `2026-12-01T09:30` of a field for date and time, in the reader's zone. */
export const localMoment = (at: Date): string => {
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
};

const dayMs = 86_400_000;

export const inDays = (days: number): string => localMoment(new Date(Date.now() + days * dayMs));
