import { type Instant, toIso } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { periodsFrom } from "../../billing/operations";
import { periodsEndingAfter } from "../../billing/operations.reverse";
import { usageChargesOf } from "../billing/counted-usage";
import { usageKeyOf } from "../billing/measures/measure";
import { laterOf } from "../billing/measures/usage-windows";
import { type UsedPrice, usedPrices } from "../billing/measures/used-prices";
import { billingPeriodAt } from "../rules";
import type { SubscriptionRow } from "../table";
import type { Sale } from "../terms/sale";
import { saleOf } from "../terms/subscription-sale";

/**
 * Returns from when an import that counts usage in another way bills it: the end of the closed windows. Undefined: all usage counts as
 * before. Throws InvalidArgumentError if a running window has a bill, or if windows end at several times. An import bills nothing, so such a
 * window could not end at it, and its usage would be billed again.
 */
export function newCountFrom(
	work: Work,
	existing: SubscriptionRow,
	sale: Sale,
	planId: string,
): Pick<SubscriptionRow, "usageBilledFrom"> | undefined {
	const running = billingPeriodAt(existing, work.now);
	if (!running) return undefined;
	const [before = [], after = []] = [saleOf(work, existing), sale].map((one) => usedPrices(work, existing, one));
	const countings = (prices: readonly UsedPrice[], of: string) =>
		prices.filter(({ featureId }) => featureId === of).map(countingOf);
	const changed = new Set(
		after
			.map(({ featureId }) => featureId)
			.filter((featureId) => !Bun.deepEquals(countings(before, featureId), countings(after, featureId))),
	);
	if (changed.size === 0) return undefined;
	const charges = [...usageChargesOf(work, existing).values()];
	const refuse = (featureId: string): Error => {
		const ref = after.find((one) => one.featureId === featureId)?.feature.refId ?? "";
		return fail(
			"InvalidArgumentError",
			`The subscription '${existing.refId}' has billed a part of the running usage, and '${planId}' counts that of '${ref}' in another way; sell it by POST /subscriptions, which settles the usage, or import it when that period is over.`,
		);
	};
	for (const charge of charges) {
		const { featureId } = usageKeyOf(charge);
		const { billedUntil } = charge;
		if (!changed.has(featureId) || billedUntil === null) continue;
		if (periodsFrom(work, existing.id, charge.key, billedUntil).length > 0) throw refuse(featureId);
	}
	const [end = running.start, ...others] = new Set(charges.flatMap(({ billedUntil }) => billedUntil ?? []));
	if (others.length > 0) throw refuse([...changed][0] ?? "");
	return { usageBilledFrom: laterOf(end, existing.usageBilledFrom ?? existing.startAt) };
}

const countingOf = ({ kind, transactionPrice, segmented, level, committed, atEvent, interval }: UsedPrice) => ({
	...{ kind, transactionPrice, segmented, level, committed, atEvent, interval },
});

/**
 * Returns from when an imported billing cycle bills usage: its start, or the end of the usage that is billed already. Throws
 * InvalidArgumentError if that end is not the same for all usage.
 */
export function unbilledUsageFrom(work: Work, row: SubscriptionRow, from: Instant): Instant {
	const ends = [...usageChargesOf(work, row).values()].map((charge) =>
		Math.max(
			from,
			...periodsEndingAfter(work, charge, from)
				.filter(({ period }) => period.state === "BILLED")
				.map(({ period }) => period.endsAt),
		),
	) as Instant[];
	const [end = from, ...others] = new Set(ends);
	if (others.length === 0) return end;
	throw fail(
		"InvalidArgumentError",
		`The subscription '${row.refId}' has billed usage until ${[end, ...others].toSorted().map(toIso).join(" and ")}, so a billing cycle from ${toIso(from)} on would bill some of it again; keep its start and billing period.`,
	);
}
