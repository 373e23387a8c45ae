import { fail } from "../../kernel/errors";
import type { SubscriptionPreviewed } from "../subscriptions/preview/schema";
import type { CurrentTerms } from "./rules";
import type { PortalChange } from "./schema";

interface OfferedIds {
	readonly plans: ReadonlyArray<{ readonly refId: string }>;
	readonly addons: ReadonlyArray<{ readonly refId: string }>;
}

/**
 * Asserts that a change chooses only from the offered plans and addons. A customer may keep or reduce an addon that it has. A plan
 * or addon that exists but is not offered gets the same answer as one that does not exist. Throws PlanNotFound, AddonNotFound.
 */
export function assertOffered({ planId, addons }: PortalChange, current: CurrentTerms, offered: OfferedIds): void {
	if (planId !== undefined && planId !== current.planId && !offered.plans.some(({ refId }) => refId === planId))
		throw fail("PlanNotFound", `The plan '${planId}' is not offered here; choose one of the plans in the options.`);
	const quantityOf = (id: string) => current.addons.find((one) => one.id === id)?.quantity ?? 0;
	const other = addons?.find(
		({ id, quantity }) => quantity > quantityOf(id) && !offered.addons.some(({ refId }) => refId === id),
	);
	if (other)
		throw fail("AddonNotFound", `The addon '${other.id}' is not offered here; choose from the addons in the options.`);
}

/**
 * Returns a fingerprint of an offer. A confirmation contains it, so that Tollgate rejects a price that the customer has not
 * seen. It covers the recurring charges, which do not depend on the moment, or the immediate ones if nothing recurs.
 */
export function offerOf({
	recurringInvoice,
	immediateInvoice,
}: Pick<SubscriptionPreviewed, "recurringInvoice" | "immediateInvoice">): string {
	const { currency, total, lines } = recurringInvoice ?? immediateInvoice;
	const terms = JSON.stringify([
		currency,
		total,
		lines.map((line) => [line.description, line.quantity, line.subTotal]),
	]);
	return new Bun.CryptoHasher("sha256").update(terms).digest("hex").slice(0, 32);
}
