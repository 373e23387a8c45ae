import type { Services } from "../server/context";

/** Returns the address of this server: `TOLLGATE_PUBLIC_URL`, or the address of the call, which only the caller sees. */
export function originOf({ api, senders }: Pick<Services, "api" | "senders">, request: Request): string {
	if (api.publicUrl !== undefined) return api.publicUrl;
	const isSecure = senders.known(request)?.isSecure ?? false;
	const named = URL.parse(`${isSecure ? "https" : "http"}://${request.headers.get("host") ?? ""}`);
	return named?.origin ?? new URL(request.url).origin;
}
