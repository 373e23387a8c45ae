import type { Actor } from "../../kernel/work";

/** What a scoped key may be allowed. Source: docs/interface/access.md, Scopes. */
export const scopeResources = [
	"API_KEY",
	"COUPON",
	"CUSTOMER",
	"ENVIRONMENT",
	"EVENT_QUEUE",
	"SUBSCRIPTION",
	"CATALOG",
	"USAGE",
	"CREDIT",
	"INVOICE",
	"CONTRACT",
	"WEBHOOK",
	"AUDIT_LOG",
] as const;

/** What belongs to the account, and so is for people only: an API key belongs to one environment. */
export const accountResources = ["MEMBER"] as const;

export type KeyResource = (typeof scopeResources)[number];
export type ScopeResource = KeyResource | (typeof accountResources)[number];
export type Scope = `${ScopeResource}:${"READ" | "WRITE"}`;

/** What a customer may be given a link to: its portal, or one order. */
export const sessionKinds = ["PORTAL", "CHECKOUT"] as const;
export type SessionKind = (typeof sessionKinds)[number];

/** An actor as this area makes it; a `Work` carries it on as what the kernel knows of it. */
export interface KnownActor extends Actor {
	readonly kind: "FULL_ACCESS" | "SCOPED" | "PUBLISHABLE" | "USER" | "SYSTEM" | SessionKind;
	readonly scopes: ReadonlySet<Scope> | "everything";
}

/** The service itself, acting in one environment: tasks, aggregation, the command line. */
export const systemActor = (environmentId: string, accountId = ""): KnownActor => ({
	kind: "SYSTEM",
	id: "system",
	accountId,
	environmentId,
	scopes: "everything",
});

/** A publishable key is in the hands of everybody: it reads the catalogue as it is sold, and one customer's entitlements. */
export const isPublishable = ({ kind }: Pick<Actor, "kind">): boolean =>
	kind === ("PUBLISHABLE" satisfies KnownActor["kind"]);

/** Of a customer's own link; undefined of every other caller. */
export const sessionKindOf = ({ kind }: Pick<Actor, "kind">): SessionKind | undefined =>
	sessionKinds.find((one) => one === kind);
