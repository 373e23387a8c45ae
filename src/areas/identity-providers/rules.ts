import { leadsInside } from "../../kernel/addresses";
import { fail } from "../../kernel/errors";
import type { RoleMapping } from "./schema";

/** New members can read, until they get another role. */
const roleDefault = "READ_ONLY";

/** The paths where a sign-in begins and where the provider redirects to. */
export const startPath = (id: string): string => `/api/v1/auth/oidc/${id}/start`;
export const callbackPath = (id: string): string => `/api/v1/auth/oidc/${id}/callback`;

/** Returns the normalized issuer. Throws BadUserInput for an invalid one. Plain HTTP is allowed only with private addresses. */
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

/** Returns the domain of an email address, in lower case. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1).toLowerCase();

export const lowerCased = (domains: readonly string[]): string[] => [
	...new Set(domains.map((domain) => domain.toLowerCase())),
];

/** Returns each role of a mapping. */
export const rolesIn = ({ groups = [], domains = [], default: otherwise }: RoleMapping): string[] => [
	...new Set([...groups, ...domains].map(({ role }) => role).concat(otherwise ?? [])),
];

/** Returns a person's role: by its groups, otherwise by its domain, otherwise the default. The first matching entry wins. */
export function roleOf(mapping: RoleMapping, email: string, groups: readonly string[]): string | undefined {
	const domain = domainOf(email);
	const fitting =
		mapping.groups?.find(({ value }) => groups.includes(value)) ??
		mapping.domains?.find((entry) => entry.domain.toLowerCase() === domain);
	return fitting?.role ?? (mapping.default === undefined ? roleDefault : (mapping.default ?? undefined));
}

/** Returns the path of the console to open after the sign-in. It can never leave this server. */
export function returnPathOf(text: string): string {
	const here = "http://localhost";
	const url = /^\/[^/\\]/.test(text) ? URL.parse(text, here) : null;
	if (url?.origin !== here || !/^\/console(\/|$)/.test(url.pathname))
		throw fail("BadUserInput", "query/returnTo: must be a path of the console on this server, such as /console.");
	return `${url.pathname}${url.search}${url.hash}`;
}

/** The base path of SCIM. */
export const scimPath = "/api/v1/scim/v2";
