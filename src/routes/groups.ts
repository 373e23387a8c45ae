import type { Server } from "bun";
import type { AnyElysia } from "elysia";
import { pathOf } from "../http/fast-path/forwarding";
import { Declarations } from "../http/fast-path/route-schemas";
import type { Services } from "../server/context";
import { compose } from "./compose";

type Routes = (services: Services, all: () => Promise<AnyElysia["routes"]>) => readonly AnyElysia[];

/** The modules of the groups. */
const modules = {
	access: () => import("./access"),
	catalogue: () => import("./catalogue"),
	collection: () => import("./collection"),
	contracts: () => import("./contracts"),
	credits: () => import("./credits"),
	customers: () => import("./customers"),
	entitlements: () => import("./entitlements"),
	graphql: () => import("./graphql"),
	invoices: () => import("./invoices"),
	outgoing: () => import("./outgoing"),
	pages: () => import("./pages"),
	portal: () => import("./portal"),
	probes: () => import("./probes"),
	subscriptions: () => import("./subscriptions"),
} satisfies Readonly<Record<string, () => Promise<{ readonly routes: Routes }>>>;

export type GroupName = keyof typeof modules;

/**
 * The group of each path: `collection` of `/api/v1/collection/{id}/below`, or `collection/below` where another group has those routes;
 * outside the API the first or the first two segments. All other paths belong to `pages`, which also answers that a path does not exist.
 */
const places: Readonly<Record<Exclude<GroupName, "pages">, readonly string[]>> = {
	access: [
		...["api-keys", "audit-log", "auth", "environments", "identity-providers", "me", "members", "roles", "scim"],
		"sessions",
	],
	catalogue: ["addons", "coupons", "customers/portal-sessions", "features", "plans", "products", "taxes"],
	collection: [
		"attempts",
		"customers/payment-methods",
		"customers/default-payment-method",
		"provider-connections",
		"refunds",
	],
	contracts: ["contracts", "customers/contracts"],
	credits: ["credits"],
	customers: ["budget-requests", "customers", "entity-types"],
	entitlements: [
		"customers/entitlements",
		"customers/reservations",
		"reservations",
		"usage",
		"usage-alerts",
		"events",
		"/v1/metrics",
	],
	graphql: ["paywall", "/graphql", "/v1"],
	invoices: [
		...["bank-accounts", "bank-entries", "bank-imports", "bank-statements"],
		...["direct-debit-creditors", "direct-debit-files", "direct-debits", "mandates"],
		"customers/balance",
		"customers/collection",
		"customers/credit-notes",
		"customers/dunning",
		"customers/invoices",
		"customers/reminders",
		"dunning-cases",
		"dunning-policies",
		"disputes",
		"invoices",
		"legal-entities",
		"receipts",
	],
	outgoing: ["events-out", "stream", "tasks", "webhook-deliveries", "webhooks"],
	portal: ["checkout", "checkout-sessions", "customers/portal", "portal"],
	probes: ["/healthz", "/readyz", "system-status"],
	subscriptions: ["subscriptions"],
};

const groupOfPlace = new Map<string, GroupName>(
	(Object.keys(places) as Array<keyof typeof places>).flatMap((group) =>
		places[group].map((place) => [place, group] as const),
	),
);

export function groupOf(path: string): GroupName {
	const [, first, second, third, , below] = path.split("/", 6);
	const [inner, outer] = first === "api" ? [`${third}/${below}`, `${third}`] : [`/${first}/${second}`, `/${first}`];
	return groupOfPlace.get(inner) ?? groupOfPlace.get(outer) ?? "pages";
}

/**
 * The routes of a thread in groups. A group's modules are loaded and its routes composed at its first request. So a start composes
 * nothing that it does not need, and a server keeps in memory only the groups that clients use.
 */
export class RouteGroups {
	/** The declarations of the composed groups. */
	readonly declarations = new Declarations();
	/** The server that the apps look up senders in. */
	server: Server<unknown> | null = null;
	readonly #services: Services;
	readonly #apps = new Map<GroupName, AnyElysia>();
	readonly #loading = new Map<GroupName, Promise<AnyElysia>>();

	constructor(services: Services) {
		this.#services = services;
	}

	/** Returns the app that answers a path: a promise until its group is composed. */
	of(path: string): AnyElysia | Promise<AnyElysia> {
		const group = groupOf(path);
		const app = this.#apps.get(group);
		if (app) app.server = this.server;
		return app ?? this.load(group);
	}

	async handle(request: Request): Promise<Response> {
		return (await this.of(pathOf(request.url))).fetch(request);
	}

	/** Composes a group before its first request. */
	load(group: GroupName): Promise<AnyElysia> {
		const loading = this.#loading.get(group) ?? this.#compose(group);
		this.#loading.set(group, loading);
		return loading;
	}

	async #compose(group: GroupName): Promise<AnyElysia> {
		const { routes } = await modules[group]();
		const all = async () => (await import("../app")).createApp(this.#services).routes;
		const app = compose(this.#services, this.declarations, routes(this.#services, all));
		await app.modules;
		app.server = this.server;
		this.#apps.set(group, app);
		return app;
	}
}
