/**
 * A setting for each Elysia app: the host may be as short as `db`. By default the framework looks for the path only
 * after the usual length of a host.
 */
export const shortHosts = { standardHostname: false } as const;
