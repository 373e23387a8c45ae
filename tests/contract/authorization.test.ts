import { describe, expect, test } from "bun:test";
import { rolesPage } from "../../scripts/roles";
import { createApp } from "../../src/app";
import { addMember } from "../../src/areas/access/members/operations";
import { createRole } from "../../src/areas/access/members/operations.roles";
import type { Standing } from "../../src/areas/access/members/rules";
import { addEnvironment, startSession } from "../../src/areas/access/operations";
import { type Scope, scopeResources, systemActor } from "../../src/areas/access/rules.actors";
import type { RouteDetail } from "../../src/openapi/operation";
import { order, signedBy, tokenIn } from "../areas/portal/links";
import { shop } from "../areas/subscriptions/shop";

/**
 * Every route, as it declares itself, with every kind of caller: who may call, and with what the others are refused. What roles
 * may is read from the page that people read.
 */
const here = await shop();
const app = createApp(here.services);
await app.modules;

const page = await Bun.file("docs/roles.md").text();
const [head = [], , ...rows] = page
	.split("\n")
	.filter((line) => line.startsWith("|"))
	.map((line) =>
		line
			.split("|")
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);
const roleNames = head.slice(1);

test("docs/roles.md says what the roles are", () => {
	expect(page).toBe(rolesPage());
	expect(roleNames).toEqual(["OWNER", "ADMIN", "DEVELOPER", "FINANCE", "SUPPORT", "MEMBER", "READ_ONLY"]);
});

/** Whether somebody who holds these may do what a scope names. */
type Holds = (scope: Scope) => boolean;

const held =
	(...scopes: readonly string[]): Holds =>
	(scope) =>
		scopes.includes(scope) || scopes.includes(scope.replace("READ", "WRITE"));
const everything: Holds = () => true;
const nothing: Holds = () => false;
const ofRole = (role: string): Holds =>
	held(
		...rows.flatMap(([resource, ...cells]) => {
			const cell = cells[roleNames.indexOf(role)];
			return cell ? [`${resource}:${cell}`] : [];
		}),
	);

interface Route {
	readonly name: string;
	readonly method: string;
	readonly path: string;
	readonly permit: RouteDetail["permit"];
	readonly callers: "user" | "anyone" | "server" | "scim" | undefined;
}

const routes: Route[] = app.routes
	.filter(({ path }) => path.startsWith("/api/v1"))
	.map(({ method, path, hooks }) => {
		const { permit, notes }: RouteDetail = hooks.detail ?? {};
		return { name: `${method} ${path}`, method, path, permit, callers: notes?.callers };
	});

type Outcome =
	| "let in"
	| "401 Unauthenticated"
	| "403 AccessDeniedError"
	| "403 IdentityForbidden"
	| "400 AuthCustomerMismatch";

/** By what a route declares, for somebody known who holds rights in the environment, and in the account. */
interface Known {
	/** The last two are a customer, by such a link. */
	readonly kind: "key" | "publishable" | "signed" | "user" | "PORTAL" | "CHECKOUT";
	readonly environment: Holds | "not let in";
	readonly account: Holds | "not let in";
}

function expected({ permit, callers }: Route, known: Known | undefined): Outcome {
	if (callers === "anyone") return "let in";
	// They have tokens of their own (`areas/scim`).
	if (callers === "scim") return "401 Unauthenticated";
	if (!known) return "401 Unauthenticated";
	if (!permit) return known.kind === "user" ? "let in" : "401 Unauthenticated";
	const { scope, also, publishable, signed, ofAccount, session } = permit;
	if (session) return known.kind === session ? "let in" : "403 IdentityForbidden";
	if (known.kind === "PORTAL" || known.kind === "CHECKOUT") return "403 IdentityForbidden";
	if (ofAccount && known.kind !== "user") return "403 IdentityForbidden";
	if (known.kind === "publishable" && signed) return "400 AuthCustomerMismatch";
	if (known.kind === "publishable" || known.kind === "signed") return publishable ? "let in" : "403 IdentityForbidden";
	const holds = ofAccount ? known.account : known.environment;
	if (holds === "not let in") return "403 IdentityForbidden";
	return [scope, also].every((one) => one === undefined || holds(one)) ? "let in" : "403 AccessDeniedError";
}

interface Caller {
	readonly name: string;
	readonly headers: (route: Route) => Record<string, string>;
	/** Undefined: nobody. */
	readonly known: (route: Route) => Known | undefined;
}

const operator = systemActor("", here.actor.accountId);
const custom: readonly Scope[] = ["CATALOG:READ", "INVOICE:WRITE", "MEMBER:READ"];
const customRole = here.transactions.write(operator, (work) => createRole(work, { name: "Custom", scopes: custom }).id);

function user(name: string, standing: Standing, known: Omit<Known, "kind">, actor = operator): Caller {
	const token = here.transactions.write(actor, (work) => {
		const email = `${name.replaceAll(" ", "-")}@example.com`;
		return startSession(work, addMember(work, { email, name, passwordHash: null, ...standing }).user).token;
	});
	const headers = {
		authorization: `Bearer ${token}`,
		"x-environment-id": here.environmentId,
		...(actor !== operator && { "x-account-id": here.actor.accountId }),
	};
	return { name, headers: () => headers, known: () => ({ kind: "user", ...known }) };
}
const everywhere = (role: string, holds: Holds): Caller =>
	user(`a user, ${role}`, { role, environmentRoles: [] }, { environment: holds, account: holds });
const only = (environmentRole: string, role: string | null): Standing => ({
	role,
	environmentRoles: [{ environmentId: here.environmentId, role: environmentRole }],
});
const key = (
	name: string,
	secret: (route: Route) => string,
	kind: Known["kind"],
	environment: (route: Route) => Holds,
): Caller => ({
	name,
	headers: (route) => ({ "x-api-key": secret(route) }),
	known: (route) => ({ kind, environment: environment(route), account: nothing }),
});

const scopesOf = ({ permit }: Route): Scope[] => [permit?.scope, permit?.also].filter((one) => one !== undefined);
/** All that can be held but what the route asks for. */
const othersThan = (route: Route): Scope[] =>
	scopeResources.flatMap((resource): Scope[] => {
		const wanted = scopesOf(route);
		if (wanted.includes(`${resource}:WRITE`)) return [`${resource}:READ`];
		return wanted.includes(`${resource}:READ`) ? [] : [`${resource}:WRITE`];
	});
const scopedKeys = new Map<string, string>();
function scopedKey(scopes: readonly Scope[]): string {
	const name = scopes.join();
	const made = scopedKeys.get(name) ?? here.scopedKey(...scopes);
	scopedKeys.set(name, made);
	return made;
}

const elsewhere = systemActor("", here.foreignActor.accountId);
const callers: readonly Caller[] = [
	...roleNames.map((role) => everywhere(role, role === "OWNER" ? everything : ofRole(role))),
	everywhere(customRole, held(...custom)),
	user("a reader who is an admin here", only("ADMIN", "READ_ONLY"), {
		...{ environment: ofRole("ADMIN"), account: ofRole("READ_ONLY") },
	}),
	user("an admin who is a reader here", only("READ_ONLY", "ADMIN"), {
		...{ environment: ofRole("READ_ONLY"), account: ofRole("ADMIN") },
	}),
	user("a member of this environment only", only("FINANCE", null), {
		environment: ofRole("FINANCE"),
		account: nothing,
	}),
	user(
		"a member without this environment",
		{ ...only("ADMIN", null), environmentRoles: [{ environmentId: another(), role: "ADMIN" }] },
		{
			...{ environment: "not let in", account: nothing },
		},
	),
	user(
		"a member of another account",
		{ role: "OWNER", environmentRoles: [] },
		{ environment: "not let in", account: "not let in" },
		elsewhere,
	),
	key(
		"a full-access key",
		() => here.key,
		"key",
		() => everything,
	),
	key(
		"another environment's full-access key",
		() => here.foreignKey,
		"key",
		() => everything,
	),
	key(
		"a publishable key",
		() => here.publishableKey,
		"publishable",
		() => nothing,
	),
	{
		name: "a publishable key with its customer's id signed",
		// The customer that every path names here.
		headers: () => signedBy(here, "no-such-thing"),
		known: () => ({ kind: "signed", environment: nothing, account: nothing }),
	},
	key(
		"a scoped key with what is asked for alone",
		(route) => scopedKey(scopesOf(route).length === 0 ? ["WEBHOOK:READ"] : scopesOf(route).filter(isOfKeys)),
		"key",
		() => everything,
	),
	key(
		"a scoped key with all but that",
		(route) => scopedKey(othersThan(route)),
		"key",
		(route) => held(...othersThan(route)),
	),
	link("a customer in its portal", "PORTAL", await portalToken()),
	link("a customer in its order", "CHECKOUT", await checkoutToken()),
	{ name: "nobody", headers: () => ({}), known: () => undefined },
	{ name: "an unknown key", headers: () => ({ "x-api-key": "server-unknown-key" }), known: () => undefined },
	{
		name: "an unknown token",
		headers: () => ({ authorization: "Bearer session-none", "x-environment-id": here.environmentId }),
		known: () => undefined,
	},
];

function link(name: string, kind: "PORTAL" | "CHECKOUT", token: string): Caller {
	const headers = { authorization: `Bearer ${token}` };
	return { name, headers: () => headers, known: () => ({ kind, environment: nothing, account: nothing }) };
}

async function portalToken(): Promise<string> {
	return (await here.call("POST", "/customers/acme/portal-sessions", { body: { budgets: "GOVERN" } })).body.data.token;
}

async function checkoutToken(): Promise<string> {
	return tokenIn((await here.call("POST", "/checkout-sessions", { body: order })).body.data.url);
}

function isOfKeys(scope: Scope): boolean {
	return scopeResources.some((resource) => scope.startsWith(`${resource}:`));
}

function another(): string {
	const { accountId } = here.actor;
	return here.transactions.write(
		operator,
		(work) => addEnvironment(work, accountId, "another", "SANDBOX").environment.id,
	);
}

/** A path to what nobody has, and a body that is none: who is let in is refused for these, and nothing is changed. */
async function outcome({ method, path, callers }: Route, headers: Record<string, string>): Promise<Outcome> {
	here.limitClock.ms += 60 * 60 * 1000;
	const target = path.replace(/:\w+/g, "no-such-thing");
	const response = await app.handle(
		new Request(`http://localhost${target}`, {
			method,
			headers: { ...headers, ...(method !== "GET" && { "content-type": "application/json" }) },
			...(method !== "GET" && { body: "{" }),
		}),
	);
	const isRefusal = [400, 401, 403].includes(response.status);
	const { code, schemas } = isRefusal ? await response.json() : {};
	if (response.status !== 401 && response.status !== 403 && code !== "AuthCustomerMismatch") {
		// A stream goes on for ever.
		if (!isRefusal) await response.body?.cancel();
		expect(response.status).toBeLessThan(500);
		return "let in";
	}
	// SCIM words its errors in its own way.
	const isOfScim = callers === "scim" && String(schemas) === "urn:ietf:params:scim:api:messages:2.0:Error";
	return `${response.status} ${isOfScim ? "Unauthenticated" : code}` as Outcome;
}

test("every route says who may call it", () => {
	const silent = routes.filter(({ permit, callers }) => permit === undefined && callers === undefined);
	expect(silent.map(({ name }) => name)).toEqual([]);
	expect(routes.length).toBeGreaterThan(200);
});

describe.each(callers.map((caller) => [caller.name, caller] as const))("%s", (_, caller) => {
	test("is let in, or refused, as each route declares", async () => {
		const wanted: Record<string, Outcome> = {};
		const found: Record<string, Outcome> = {};
		for (const route of routes) {
			wanted[route.name] = expected(route, caller.known(route));
			found[route.name] = await outcome(route, caller.headers(route));
		}
		expect(found).toEqual(wanted);
	});
});
