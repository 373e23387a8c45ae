const factor = Number(process.env.TOLLGATE_RUNS ?? 1);

/**
 * The number of runs of a slow property: one whose runs make data folders or call the API. Each run of the suite tries few random
 * cases, and new ones each time. TOLLGATE_RUNS multiplies their number for a longer search (CONTRIBUTING.md).
 */
export const slowRuns = (numRuns: number) => ({ numRuns: Math.ceil(numRuns * factor) });
