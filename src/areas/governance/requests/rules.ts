import type { Actor } from "../../../kernel/work";
import type { BudgetNodeRow } from "../table";
import type { BudgetRequestRow } from "./table";

/** The place of a budget in a customer's tree. */
export type BudgetPlace = Pick<BudgetNodeRow, "id" | "customerId" | "ancestors">;

/** The rights on the budgets at a place. */
export interface BudgetRights {
	/** Sees them, and requests higher limits. */
	readonly isShown: boolean;
	/** Changes their limits, and decides about requests: governs the parent. */
	readonly isGoverned: boolean;
}

/** The actor who requests or decides, or the person who uses a customer's link. */
export interface Requester extends Pick<Actor, "kind" | "id"> {
	/** The rights on the budgets at a place, or for deciding about one request (its id). */
	rightsOn(place: BudgetPlace, requestId?: string): BudgetRights;
	/** Says why budgets at a place are not governed, and the remedy. */
	readonly notGoverned: (entityRef: string) => string;
}

/** Keys and people of the console act for the seller, who governs the budgets of all customers (docs/interface/governance.md#requests). */
export const sellerOf = ({ kind, id }: Pick<Actor, "kind" | "id">): Requester => ({
	...{ kind, id, notGoverned: () => "" },
	rightsOn: () => ({ isShown: true, isGoverned: true }),
});

export const textOf = ({ kind, id }: Pick<Requester, "kind" | "id">): string => `${kind} ${id}`;

/** The kinds of actors that are one person. Keys decide their own requests, because the caller decides who uses them. */
const persons: ReadonlySet<string> = new Set(["USER", "PORTAL"]);

/** Returns the person who made a request with a customer's link; null for another actor. */
export const personOf = ({ requestedBy }: Pick<BudgetRequestRow, "requestedBy">): string | null =>
	requestedBy.startsWith("PORTAL ") ? requestedBy.slice("PORTAL ".length) : null;

type Obstacle = "NOT_SHOWN" | "NOT_GOVERNED" | "DECIDED" | "OWN";

/** Returns why somebody cannot decide a request; null if they can. All entry points ask it: REST, GraphQL, the portal and links in mails. */
export function obstacleTo(
	{ id, status, requestedBy }: Pick<BudgetRequestRow, "id" | "status" | "requestedBy">,
	place: BudgetPlace,
	by: Requester,
): Obstacle | null {
	const { isShown, isGoverned } = by.rightsOn(place, id);
	if (!isShown) return "NOT_SHOWN";
	if (!isGoverned) return "NOT_GOVERNED";
	if (status !== "PENDING") return "DECIDED";
	return persons.has(by.kind) && requestedBy === textOf(by) ? "OWN" : null;
}
