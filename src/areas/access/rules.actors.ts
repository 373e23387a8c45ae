import type { Actor } from "../../kernel/work";

/** The resources of scopes (docs/interface/access.md#scopes). */
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

/** Resources of the account. Only people have these scopes, because an API key belongs to one environment. */
export const accountResources = ["MEMBER"] as const;

export type KeyResource = (typeof scopeResources)[number];
export type ScopeResource = KeyResource | (typeof accountResources)[number];
export type Scope = `${ScopeResource}:${"READ" | "WRITE"}`;

/** Pages that a customer can get a link to: its portal, or one order. */
export const sessionKinds = ["PORTAL", "CHECKOUT"] as const;
export type SessionKind = (typeof sessionKinds)[number];

/** An actor with its scopes; `Work` carries it as the kernel's `Actor`. */
export interface KnownActor extends Actor {
	readonly kind: "FULL_ACCESS" | "SCOPED" | "PUBLISHABLE" | "USER" | "SYSTEM" | SessionKind;
	readonly scopes: ReadonlySet<Scope> | "everything";
}

/** The service itself in one environment: tasks, aggregation, the command line. */
export const systemActor = (environmentId: string, accountId = ""): KnownActor => ({
	kind: "SYSTEM",
	id: "system",
	accountId,
	environmentId,
	scopes: "everything",
});

/** A publishable key is public. It reads the published catalogue and the entitlements of one customer. */
export const isPublishable = ({ kind }: Pick<Actor, "kind">): boolean =>
	kind === ("PUBLISHABLE" satisfies KnownActor["kind"]);

/** Returns the kind of a customer's link; undefined for other callers. */
export const sessionKindOf = ({ kind }: Pick<Actor, "kind">): SessionKind | undefined =>
	sessionKinds.find((one) => one === kind);
