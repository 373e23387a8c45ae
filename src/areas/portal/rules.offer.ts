import { fail } from "../../kernel/errors";
import type { SubscriptionPreviewed } from "../subscriptions/preview/schema";
import type { Held } from "./rules";
import type { PortalChange } from "./schema";

interface OfferedIds {
	readonly plans: ReadonlyArray<{ readonly refId: string }>;
	readonly addons: ReadonlyArray<{ readonly refId: string }>;
}

/**
 * Asserts that a change chooses only from the offered plans and addons. A customer may keep or reduce an addon that it has. A
 * plan or addon that exists but is not offered gets the same answer as one that does not exist. PlanNotFound, AddonNotFound.
 */
export function assertOffered({ planId, addons }: PortalChange, held: Held, offered: OfferedIds): void {
	if (planId !== undefined && planId !== held.planId && !offered.plans.some(({ refId }) => refId === planId))
		throw fail("PlanNotFound", `The plan '${planId}' is not offered here; choose one of the plans in the options.`);
	const heldOf = (id: string) => held.addons.find((one) => one.id === id)?.quantity ?? 0;
	const other = addons?.find(
		({ id, quantity }) => quantity > heldOf(id) && !offered.addons.some(({ refId }) => refId === id),
	);
	if (other)
		throw fail("AddonNotFound", `The addon '${other.id}' is not offered here; choose from the addons in the options.`);
}

/**
 * What an offer comes to, as a short text that changes with it: whoever confirms says which one it has seen. By what recurs,
 * which the moment does not change; where nothing recurs, by what is paid at once.
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
