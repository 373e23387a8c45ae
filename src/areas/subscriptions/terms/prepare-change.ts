import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { latestVersionsOf } from "../../packages/operations";
import type { VersionRow } from "../../packages/table";
import type { SubscriptionUpdate } from "../schema.update";
import type { PriceOverride, SubscriptionRow } from "../table";
import type { SubscriptionUpdateRow } from "../table.changes";
import { prepareSale, type Sale } from "./prepare-sale";
import { overrideOf } from "./requested-terms";
import { mergedChanges } from "./rules.update";
import { subscribedItems } from "./subscription-sale";

/** What a subscription is to hold after a change: looked up and checked, with nothing written yet. */
export interface PreparedChange {
	readonly sale: Sale;
	readonly priceOverrides: readonly PriceOverride[];
	readonly changes: SubscriptionUpdate;
	/** Versions that it leaves for newer ones. */
	readonly moves: ReadonlyArray<{ readonly from: VersionRow; readonly to: VersionRow }>;
}

interface WhichVersions {
	/** What is held moves to the newest versions of plan and addons. */
	readonly atLatest?: boolean;
	/** What is new is of these, where it is among them; else of the newest. */
	readonly sold?: readonly VersionRow[];
}

/**
 * What is left out of the changes stays, on the versions that are held. The codes of `prepareSale`.
 */
export function prepareChange(
	work: Work,
	row: SubscriptionRow,
	changes: SubscriptionUpdate,
	{ atLatest = false, sold = [] }: WhichVersions = {},
): PreparedChange {
	const held = subscribedItems(work, row);
	const plan = held.versions.find(({ kind }) => kind === "PLAN");
	assert(plan, "a subscription has a plan");
	const moves = atLatest ? movesToLatest(work, held.versions) : [];
	const priceOverrides = changes.priceOverrides?.map(overrideOf) ?? row.priceOverrides;
	const sale = prepareSale(work, {
		planId: plan.refId,
		addons: changes.addons ?? held.addons,
		charges: withCharges(held.charges, changes.charges ?? []),
		billingPeriod: changes.billingPeriod ?? row.billingPeriod ?? undefined,
		prices: { country: row.billingCountryCode },
		priceOverrides,
		heldVersions: [
			...held.versions.map((version) => moves.find(({ from }) => from === version)?.to ?? version),
			...sold,
		],
	});
	return { sale, priceOverrides, changes, moves };
}

type Charges = NonNullable<SubscriptionUpdate["charges"]>;

/** The units that are named change, the others stay: what a plan sells by the unit is always held. (Our choice.) */
function withCharges(held: Charges, asked: Charges): Charges {
	const isAsked = (one: Charges[number]) => asked.some(({ id, type }) => id === one.id && type === one.type);
	return [...held.filter((one) => !isAsked(one)), ...asked];
}

/** The newest published versions, where they are newer than these. */
export function movesToLatest(work: Work, held: readonly VersionRow[]): PreparedChange["moves"] {
	const latest = latestVersionsOf(
		work,
		held.map(({ packageId }) => packageId),
	);
	return held.flatMap((from) => {
		const to = latest.get(from.packageId);
		return to?.status === "PUBLISHED" && to.versionNumber > from.versionNumber ? [{ from, to }] : [];
	});
}

/** What several updates of one time come to together. */
export const prepareMergedChange = (
	work: Work,
	row: SubscriptionRow,
	updates: readonly SubscriptionUpdateRow[],
	sold: readonly VersionRow[] = [],
): PreparedChange =>
	prepareChange(work, row, mergedChanges(updates), {
		atLatest: updates.some(({ type }) => type === "MIGRATE_TO_LATEST"),
		sold,
	});
