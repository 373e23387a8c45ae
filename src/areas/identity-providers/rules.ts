import { leadsInside } from "../../kernel/addresses";
import { fail } from "../../kernel/errors";
import type { RoleMapping } from "./schema";

/** Our choice: who comes in may look, until somebody gives more. */
const roleDefault = "READ_ONLY";

/** Where a sign-in by a provider begins, and where the provider sends the browser back to. */
export const startPath = (id: string): string => `/api/v1/auth/oidc/${id}/start`;
export const callbackPath = (id: string): string => `/api/v1/auth/oidc/${id}/callback`;

/** As it is kept. BadUserInput for what is no issuer that may be called. Plain HTTP only where private addresses are allowed. */
export function issuerOf(text: string, allowPrivate: boolean): string {
	const url = URL.parse(text);
	const isPlain = url && url.username === "" && url.password === "" && url.search === "" && url.hash === "";
	if (!isPlain || !(url.protocol === "https:" || (allowPrivate && url.protocol === "http:")))
		throw fail(
			"BadUserInput",
			"/issuer: must be an address such as https://id.example.com, as the provider states it.",
		);
	if (!allowPrivate && leadsInside(url))
		throw fail(
			"BadUserInput",
			"/issuer: leads to this machine or a private network; where that is wanted, the server is started with TOLLGATE_WEBHOOKS_ALLOW_PRIVATE=1.",
		);
	return text;
}

/** Of an e-mail address, in lower case. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1).toLowerCase();

export const lowerCased = (domains: readonly string[]): string[] => [
	...new Set(domains.map((domain) => domain.toLowerCase())),
];

/** Each role that a mapping gives, by where it stands. */
export const rolesIn = ({ groups = [], domains = [], default: otherwise }: RoleMapping): string[] => [
	...new Set([...groups, ...domains].map(({ role }) => role).concat(otherwise ?? [])),
];

/** The role that a person gets: by its groups, else by its domain, else the default. The first entry that fits counts. */
export function roleOf(mapping: RoleMapping, email: string, groups: readonly string[]): string | undefined {
	const domain = domainOf(email);
	const fitting =
		mapping.groups?.find(({ value }) => groups.includes(value)) ??
		mapping.domains?.find((entry) => entry.domain.toLowerCase() === domain);
	return fitting?.role ?? (mapping.default === undefined ? roleDefault : (mapping.default ?? undefined));
}

/**
 * Where a browser goes after it has signed in: a path of the console of this very server, whatever it is made to look like.
 */
export function returnPathOf(text: string): string {
	const here = "http://localhost";
	const url = /^\/[^/\\]/.test(text) ? URL.parse(text, here) : null;
	if (url?.origin !== here || !/^\/console(\/|$)/.test(url.pathname))
		throw fail("BadUserInput", "query/returnTo: must be a path of the console on this server, such as /console.");
	return `${url.pathname}${url.search}${url.hash}`;
}

/** Below it people are provisioned. */
export const scimPath = "/api/v1/scim/v2";
