/**
 * The superuser's password of the embedded PostgreSQL, 24 random bytes, is kept with one SCRAM iteration: iterations make passwords that
 * people choose expensive to guess, and passwords that are set later get the usual number. It serves the CPU of a start
 * (bench/start.ts), whose dozen connections would pay for the iterations on both sides. A connection costs this process 3.1 ms of CPU
 * and 3.9 to 4.1 ms with 4096 (`node bench/tricks.ts`), a start 0.84 of what it costs then (`npm run bench:compare`, two pairs), 2026-11-22.
 */
export const ownIterations = 1;
export const usualIterations = 4096;
