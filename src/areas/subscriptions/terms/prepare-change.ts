import { assert } from "../../../kernel/errors";
import type { Money } from "../../../kernel/money";
import type { Work } from "../../../kernel/work";
import { getCustomerById } from "../../customers/operations";
import { defaultPayerId } from "../../customers/parents/rules";
import { latestVersionsOf } from "../../packages/operations";
import { assertCountable } from "../../packages/operations.agreed-prices";
import type { VersionRow } from "../../packages/table";
import { currenciesOf } from "../../pricing/choice/price";
import { storedCommitments } from "../../pricing/commitments/rules.spend-commitment";
import { requestedPeriod } from "../../pricing/requested-period";
import type { SubscriptionUpdate } from "../schema.update";
import type { PriceOverride, SubscriptionRow } from "../table";
import type { SubscriptionUpdateRow } from "../table.changes";
import { ownPricesOf } from "./apply-sale";
import { assertCommitmentsFit } from "./commitments";
import { decideSale, type SaleRequest } from "./decide-sale";
import { assertSameCurrency, keptCurrency } from "./held-currency";
import { loadSaleContext } from "./load-sale-context";
import { placeAfter, placeFromStart, runningPhase } from "./phases";
import { assertPoolable } from "./poolable";
import { minimumSpendOf, overrideOf } from "./requested-terms";
import { includesChildUsage } from "./rules.child-usage";
import { assertAnchorTerms, assertChargesPeriods } from "./rules.time-terms";
import { mergedChanges } from "./rules.update";
import { inPhase, type Sale, withUplifts } from "./sale";
import { saleOf, subscribedItems } from "./subscription-sale";
import { updatedTerm } from "./term";

/** A change of a subscription, checked and priced; nothing is written yet. */
export interface PreparedChange {
	/** The sale that the subscription is charged for now. */
	readonly before: Sale;
	readonly sale: Sale;
	readonly priceOverrides: readonly PriceOverride[];
	readonly minimumSpend: Money | null;
	readonly commitments: SubscriptionRow["commitments"];
	readonly changes: SubscriptionUpdate;
	readonly phases: Pick<SubscriptionRow, "phases" | "phase">;
	readonly terms: Pick<SubscriptionRow, "term" | "runningTerm" | "uplifts">;
	/** The versions that are left for newer ones. */
	readonly moves: ReadonlyArray<{ readonly from: VersionRow; readonly to: VersionRow }>;
	/** Items stay as they are sold, also on versions whose prices apply later. */
	readonly keepsItems?: true;
}

interface VersionChoice {
	/** Plan and addons move to their newest versions. */
	readonly atLatest?: boolean;
	/** New items are sold on these versions; on the newest if they are not among them. */
	readonly sold?: readonly VersionRow[];
}

/** Items that the changes leave out stay, on the versions that the subscription has. The codes of a sale. */
export function prepareChange(
	work: Work,
	row: SubscriptionRow,
	changes: SubscriptionUpdate,
	{ atLatest = false, sold = [] }: VersionChoice = {},
): PreparedChange {
	assertChargesPeriods(changes, row);
	const held = subscribedItems(work, row);
	const plan = held.versions.find(({ kind }) => kind === "PLAN");
	assert(plan, "a subscription has a plan");
	const moves = atLatest ? movesToLatest(work, held.versions) : [];
	const priceOverrides = changes.priceOverrides?.map(overrideOf) ?? row.priceOverrides;
	const before = saleOf(work, row);
	const currency = keptCurrency(work, row);
	const priced = currenciesOf(before.prices.map(({ charge }) => charge));
	assertSameCurrency(changes.billingCurrency, [...(currency.held ? [currency.held.currency] : []), ...priced]);
	const requested: SaleRequest = {
		planId: plan.refId,
		addons: changes.addons ?? held.addons,
		charges: withCharges(held.charges, changes.charges ?? []),
		billingPeriod: requestedPeriod(changes, "body") ?? row.billingPeriod ?? undefined,
		prices: { country: row.billingCountryCode, currency },
		priceOverrides,
		phases: changes.phases
			? { asked: changes.phases, where: "body.phases" }
			: { stored: changes.phases === null ? null : row.phases },
		heldVersions: [
			...held.versions.map((version) => moves.find(({ from }) => from === version)?.to ?? version),
			...sold,
		],
	};
	const decided = decideSale(loadSaleContext(work, requested), requested);
	if (changes.priceOverrides) assertCountable(work, "body/priceOverrides", ownPricesOf(decided));
	assertAnchorTerms(changes, decided.billingPeriod);
	if (changes.includesChildUsage ?? includesChildUsage(row)) assertPoolable(work, decided, "body/includesChildUsage");
	const phases = changedPhases(work, row, changes, decided);
	const terms = updatedTerm(row, changes, decided.plan, work.now);
	const phased = inPhase(decided, runningPhase({ ...row, ...phases }, decided.plan));
	const sale = withUplifts(phased, terms.uplifts, work.now);
	const minimumSpend = changedMinimumSpend(work, row, changes, sale);
	const commitments = changedCommitments(row, changes);
	assertCommitmentsFit(sale, { commitments, minimumSpend });
	return { before, sale, priceOverrides, minimumSpend, commitments, changes, phases, terms, moves };
}

/** Prepares the end of a phase or of a term. Nothing is checked: sold items stay sold. */
export function prepareNextPart(work: Work, row: SubscriptionRow): PreparedChange {
	const before = saleOf(work, row);
	const phases = changedPhases(work, row, {}, before);
	const terms = updatedTerm(row, {}, before.plan, work.now);
	const sale = saleOf(work, { ...row, ...phases, ...terms });
	const { priceOverrides, minimumSpend, commitments } = row;
	const kept = { changes: {}, moves: [], keepsItems: true } as const;
	return { before, sale, priceOverrides, minimumSpend, commitments, phases, terms, ...kept };
}

/** New phases count from the start of billing; otherwise the running phase goes on, or the next one begins. */
function changedPhases(
	{ now }: Work,
	row: SubscriptionRow,
	{ phases: asked }: SubscriptionUpdate,
	{ plan, ownPhases: phases }: Sale,
): PreparedChange["phases"] {
	// A phase that ends during a pause ends at the resumption, which bills the next one.
	if (asked === undefined)
		return { phases: row.phases, phase: row.status === "PAUSED" ? row.phase : placeAfter(row, plan, now) };
	const isCharged = row.billingAnchorAt !== null && row.status !== "IN_TRIAL" && row.status !== "NOT_STARTED";
	return { phases, phase: isCharged ? placeFromStart({ ...row, phases }, plan, now) : null };
}

type Charges = NonNullable<SubscriptionUpdate["charges"]>;

/** Named units change; other units stay, since a plan always includes the units that it sells. */
function withCharges(held: Charges, requested: Charges): Charges {
	const isRequested = (one: Charges[number]) => requested.some(({ id, type }) => id === one.id && type === one.type);
	return [...held.filter((one) => !isRequested(one)), ...requested];
}

const changedCommitments = (
	{ commitments: current }: SubscriptionRow,
	{ commitments }: SubscriptionUpdate,
): SubscriptionRow["commitments"] =>
	commitments === undefined ? current : commitments && storedCommitments(commitments, "body/commitments");

const changedMinimumSpend = (
	work: Work,
	row: SubscriptionRow,
	{ minimumSpend }: SubscriptionUpdate,
	sale: Sale,
): Money | null =>
	minimumSpend === undefined
		? row.minimumSpend
		: minimumSpendOf(
				work,
				minimumSpend,
				sale,
				getCustomerById(work, row.payingCustomerId ?? defaultPayerId(getCustomerById(work, row.customerId))),
			);

/** Returns the newest published versions, as far as they are newer than these. */
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

/** Prepares several updates that take effect at one time, as one change. */
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
