/**
 * For each app of the framework's that is asked: a host may be as short as `db`, where the framework by itself looks for the
 * path behind the place at which it begins.
 */
export const shortHosts = { standardHostname: false } as const;
