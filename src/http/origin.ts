import type { Services } from "../server/context";

/**
 * Where people find this server: as it is set (`TOLLGATE_PUBLIC_URL`), else where the caller has found it. Only whoever calls
 * is answered with it.
 */
export function originOf({ api, senders }: Pick<Services, "api" | "senders">, request: Request): string {
	if (api.publicUrl !== undefined) return api.publicUrl;
	const isSecure = senders.known(request)?.isSecure ?? false;
	const named = URL.parse(`${isSecure ? "https" : "http"}://${request.headers.get("host") ?? ""}`);
	return named?.origin ?? new URL(request.url).origin;
}
