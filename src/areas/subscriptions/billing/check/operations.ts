import { and, asc, eq, gt } from "drizzle-orm";
import type { Instant } from "../../../../kernel/clock";
import { type Decimal, exact, sum, toDecimal } from "../../../../kernel/decimal";
import type { Period } from "../../../../kernel/period";
import type { Work } from "../../../../kernel/work";
import { billsOf, creditedPeriodsOf } from "../../../billing/operations";
import type { PeriodOfCharge } from "../../../billing/rules.billed";
import { findFreeUnits } from "../../../coupons/operations";
import { customersByIds } from "../../../customers/operations";
import { defaultPayerId } from "../../../customers/parents/rules";
import { featuresByIds, findMeterOf } from "../../../features/operations";
import { type IssuedLine, linesOfSubscriptions } from "../../../invoices/check/operations.documents";
import { currencyOfCharge } from "../../../pricing/models/charge";
import { sumTotals } from "../../../pricing/totals";
import { lastCancellationOf } from "../../../usage/operations.following";
import { billingPeriodAt } from "../../rules";
import { selectDatedChanges } from "../../store.dated-changes";
import { selectOfProduct } from "../../store.of-customers";
import { selectPauses } from "../../store.pauses";
import { selectPendingUpdates } from "../../store.updates";
import { type SubscriptionRow, subscriptions } from "../../table";
import { phasesOf } from "../../terms/phases";
import { selectVersionChanges } from "../../terms/store.version-changes";
import { saleOf } from "../../terms/subscription-sale";
import { inArrears, runningCharges } from "../arrears";
import { isOwn, withCharged } from "../charged";
import { usageChargesOf } from "../counted-usage";
import { planOf } from "../cycle";
import { chainOf } from "../issue";
import { countedChanges } from "../measures/highest-total";
import { isOfUsage, meteredBy, quantityIn, type UsageKey, usageKeyOf } from "../measures/measure";
import { chargedPartsOfRest } from "../remainder";
import { pricesOfVersions } from "./prices-of-versions";
import {
	amountDifferences,
	chargedTwice,
	formatPeriod,
	isPeriodCharge,
	linesOfWindow,
	skippedPeriods,
	stepsOf,
	uninvoicedCharges,
	windowDifferences,
} from "./rules";
import { arrearsDifferences, stretchDifferences } from "./rules.arrears";
import { chargeDifferences, creditDifferences } from "./rules.charges";
import { commitmentDifferences, unstoredWindows } from "./rules.commitments";
import { currencyDifferences, usageCurrencyDifferences } from "./rules.currency";
import { datedDifferences } from "./rules.dated";
import { freeUnitDifferences } from "./rules.free-units";
import { highestDifferences } from "./rules.highest-totals";
import { levelDifferences } from "./rules.levels";
import { type Paused, pauseDifferences } from "./rules.pauses";
import { phaseDifferences, phasePriceDifferences } from "./rules.phases";
import { withoutReversed } from "./rules.reversed";
import { scheduleDifferences } from "./rules.schedule";
import { segmentDifferences } from "./rules.segments";
import { restDifferences, termDifferences, upliftDifferences } from "./rules.terms";
import { transactionDifferences } from "./rules.transactions";
import { unrecordedCredits } from "./rules.unrecorded";
import { costDifferences, intervalDifferences } from "./rules.windows";
import { checkSpend } from "./spend";

/** Subscriptions in memory at once; and the documents of one slot. */
const subscriptionsAtOnceMax = 100;

/**
 * Yields the differences between invoices and stored subscriptions: a period charged twice or skipped, a price that is
 * not the catalogue's, usage billed other than recorded or counted, a charge in addition to the contract, a
 * subscription that no step would bill, or one billed at another time than its terms say. `beyond`: only subscriptions
 * with greater row ids.
 */
export function* checkSubscriptionBills(work: Work, beyond = ""): Generator<string> {
	const prices = pricesOfVersions(work);
	for (let after = beyond; ; ) {
		const rows = readSubscriptions(work, after);
		const last = rows.at(-1);
		if (!last) return;
		const updates = firstUpdates(work, rows);
		for (const row of rows) {
			yield* scheduleDifferences(
				`the subscription ${row.refId}`,
				withCharged(work, row),
				updates.get(row.id) ?? null,
				work.now,
			);
			const place = slotOf(work, row);
			// The documents of a slot are checked once, with its first subscription.
			if (place.some(({ id }) => id < row.id)) continue;
			yield* checkPlace(work, place, prices);
		}
		after = last.id;
	}
}

/** Returns when the first scheduled update of each subscription takes effect. */
const firstUpdates = (work: Work, rows: readonly SubscriptionRow[]): Map<string, Instant> =>
	new Map(
		selectPendingUpdates(
			work,
			rows.map(({ id }) => id),
		)
			.toReversed()
			.map(({ subscriptionId, executeAt }) => [subscriptionId, executeAt]),
	);

/** Returns the subscriptions that followed each other for one customer, product and resource. */
const slotOf = (work: Work, { customerId, productId, resourceId }: SubscriptionRow): SubscriptionRow[] =>
	selectOfProduct(work, customerId, productId).filter((one) => one.resourceId === resourceId);

type PricesOf = ReturnType<typeof pricesOfVersions>;

function* checkPlace(work: Work, place: readonly SubscriptionRow[], prices: PricesOf): Generator<string> {
	const [first] = place;
	if (!first) return;
	// A moved subscription may have replaced one on its former resource.
	const rows = selectOfProduct(work, first.customerId, first.productId);
	const all = chainOf(rows, place);
	const lines = linesOf(work, all);
	// A replacing subscription, which billed the rest, may have moved too.
	const followers = rows.filter(
		({ id, replacesId }) => !all.some((one) => one.id === id) && place.some((one) => one.id === replacesId),
	);
	const settling = [...lines, ...linesOf(work, followers)];
	const confirmed = withoutUnpaid(work, [...all, ...followers], settling);
	yield* chargedTwice(lines);
	yield* skippedPeriods(lines);
	for (const one of lines) {
		yield* outsideContract(one);
		yield* prices.differences(one);
	}
	const bills = new Map([...all, ...followers].map((row) => [row.id, billedWindows(work, row)]));
	for (const row of place) {
		const named = `the subscription ${row.refId}`;
		const { charged, chargedBy } = withCharged(work, row);
		yield* uninvoicedCharges(named, charged, settling);
		const pauses = selectPauses(work, [row.id]);
		if (row.status === "ACTIVE") yield* chargeDifferences(named, row, chargedBy.filter(isOwn), settling, pauses);
		if (row.status === "ACTIVE") yield* checkPhases(work, named, row, chargedBy.filter(isOwn));
		yield* checkTerms(work, named, row, { charges: chargedBy.filter(isOwn), lines: settling, pauses });
		if (row.status === "ACTIVE" && row.billingCurrency !== null) {
			// Without proration, the charge of a replaced subscription goes on to the end of its period.
			const pricesFrom = Math.max(row.startAt, ...selectVersionChanges(work, row.id).map((one) => one.pricesFrom));
			yield* currencyDifferences(named, { ...row, pricesFrom }, chargedBy.filter(isOwn));
		}
		if (row.status === "ACTIVE") yield* checkUsageCurrency(work, named, row, lines);
		const credited = creditedPeriodsOf(work, row);
		yield* creditDifferences(named, credited, settling, pauses);
		const billed = billsOf(work, row);
		yield* unrecordedCredits(named, billed, credited, confirmed);
		yield* pauseDifferences(named, row, pauses, { bills: billed, credited, lines: settling });
		const dated = selectDatedChanges(work, [row.id]);
		const settled =
			dated.length === 0 ? [] : all.filter(({ id }) => id !== row.id).flatMap((one) => billsOf(work, one));
		yield* datedDifferences(named, row, dated, { bills: billed, credited, lines: settling, settled });
		if (row.status === "ACTIVE")
			yield* arrearsDifferences(named, row, runningCharges(work, row), (at) => billingPeriodAt(row, at));
		const stretches = billed.filter(({ charge }) => charge.key.startsWith(inArrears));
		yield* stretchDifferences(named, stretches, settling);
		const isFollowed = [...all, ...followers].some(({ replacesId }) => replacesId === row.id);
		yield* checkSpend(work, named, row, { billed, lines: settling, isFollowed });
		const others = [...bills].flatMap(([id, rows]) => (id === row.id ? [] : rows));
		yield* checkUsage(work, row, bills.get(row.id) ?? [], others, withoutReversed(settling));
	}
}

/** Checks the currency of usage since the present prices apply. Without a chosen currency it is that of the charges in advance. */
function* checkUsageCurrency(work: Work, named: string, row: SubscriptionRow, lines: readonly IssuedLine[]) {
	const { id, billingCurrency, chargedCurrency, chargedFrom } = row;
	const startAt = Math.max(row.startAt, row.createdAt);
	const moved = selectVersionChanges(work, id).map((one) => one.pricesFrom);
	const pricesFrom = Math.max(0, ...moved, ...(billingCurrency === null ? [chargedFrom ?? 0] : []));
	const windows = billsOf(work, row).filter(({ charge }) => isOfUsage(charge));
	const sold = { id, startAt, currency: billingCurrency ?? chargedCurrency, pricesFrom };
	yield* usageCurrencyDifferences(named, sold, windows, lines);
}

/** Leaves out invoices that wait for the payment of a change or of a first period: they have credited nothing yet. */
function withoutUnpaid(work: Work, rows: readonly SubscriptionRow[], lines: readonly IssuedLine[]): IssuedLine[] {
	const ids = rows.map(({ id }) => id);
	const updates = new Set(selectPendingUpdates(work, ids).map(({ invoiceId }) => invoiceId));
	const waiting = new Set(rows.filter(({ status }) => status === "PAYMENT_PENDING").map(({ id }) => id));
	return lines.filter(
		({ documentId, invoice }) => !updates.has(documentId) && !waiting.has(invoice?.subscriptionId ?? ""),
	);
}

/** Checks the phase of an active subscription, and the prices that were charged in it. */
function* checkPhases(work: Work, named: string, row: SubscriptionRow, charges: readonly PeriodOfCharge[]) {
	const plan = planOf(work, row);
	if (row.phase === null && phasesOf(row, plan).length === 0) return;
	const isMoved = selectVersionChanges(work, row.id).length > 0;
	yield* phaseDifferences(named, row, { plan, isMoved, now: work.now });
	const last = charges.at(-1);
	if (row.phase === null || !last) return;
	const { phase, prices } = saleOf(work, row, last.period.startsAt);
	const running = { startAt: row.phase.startAt, phase, prices: prices.map(({ charge }) => charge) };
	yield* phasePriceDifferences(named, running, charges);
}

interface Billed {
	readonly charges: readonly PeriodOfCharge[];
	readonly lines: readonly IssuedLine[];
	readonly pauses: readonly Paused[];
}

/** Checks the term of a subscription, its price increases, and the rest that an early end owes. */
function* checkTerms(work: Work, named: string, row: SubscriptionRow, { charges, lines, pauses }: Billed) {
	const plan = planOf(work, row);
	if (row.status === "ACTIVE" || row.status === "PAUSED") {
		const isMoved = selectVersionChanges(work, row.id).length > 0;
		yield* termDifferences(named, row, { plan, isMoved, now: work.now });
	}
	if (row.status === "ACTIVE") yield* upliftDifferences(named, row, { plan }, charges);
	const { endedAt, runningTerm } = row;
	const owedUntil = runningTerm?.owedUntil;
	const isPaused = pauses.some(({ endAt }) => endAt === endedAt);
	if (row.status !== "CANCELED" || endedAt === null || owedUntil === undefined || owedUntil <= endedAt || isPaused)
		return;
	if (row.cancelReason !== "Immediate" && row.cancelReason !== "ScheduledCancellation") return;
	const parts = chargedPartsOfRest(work, { ...row, status: "ACTIVE" }, endedAt, owedUntil);
	yield* restDifferences(named, row, parts, lines);
}

const linesOf = (work: Work, rows: readonly SubscriptionRow[]): IssuedLine[] => [
	...linesOfSubscriptions(
		work,
		rows.map(({ id }) => id),
		payersOf(work, rows),
	),
	...rows.flatMap(waitingLines),
];

/** Returns the row ids of the customers that pay for subscriptions, and of those that have them. */
function payersOf(work: Work, rows: readonly SubscriptionRow[]): string[] {
	const ids = [...new Set(rows.map(({ customerId }) => customerId))];
	const defaults = [...customersByIds(work, ids).values()].map(defaultPayerId);
	return [...ids, ...defaults, ...rows.flatMap(({ payingCustomerId }) => payingCustomerId ?? [])];
}

/** Prorations that wait for the next invoice count as charged. */
const waitingLines = ({ id, refId, prorations }: SubscriptionRow): IssuedLine[] =>
	(prorations?.lines ?? []).map(({ period, ...line }) => ({
		named: `what waits for the next invoice of the subscription ${refId} (${line.description})`,
		documentId: id,
		line: { ...line, periodStart: period?.start ?? null, periodEnd: period?.end ?? null },
	}));

/** A contract alone invoices its subscriptions. */
function* outsideContract({ named, line, invoice }: IssuedLine): Generator<string> {
	if (invoice?.contractId != null && isPeriodCharge(line) && exact(line.amount).gt(0))
		yield `${named}: charges a subscription that is on a contract`;
}

/** A window of usage that a subscription has billed, by all its bills. */
interface BilledWindow extends UsageKey, Period {
	/** The last bill. */
	readonly last: PeriodOfCharge;
	/**
	 * The amount and tax that its bills charged, and the amount with included taxes; null if a bill is on no invoice, or of an
	 * earlier release.
	 */
	readonly charged: Readonly<Record<"amount" | "tax" | "gross", Decimal>> | null;
	/** The same terms have billed all of it. */
	readonly isOnOneCharge: boolean;
}

function billedWindows(work: Work, row: SubscriptionRow): BilledWindow[] {
	const bills = billsOf(work, row).filter(({ charge }) => isOfUsage(charge));
	return [...Map.groupBy(bills, ({ charge, period }) => `${charge.key}/${period.startsAt}`).values()].flatMap((of) => {
		const last = of.at(-1);
		if (!last) return [];
		const { startsAt: start, endsAt: end } = last.period;
		const isInvoiced = of.every(({ period }) => period.invoiceId !== null);
		const rated = of.map(({ period }) => period.rated);
		const { subTotal: amount, tax } = sumTotals(rated);
		const gross = toDecimal(sum(rated.map((one) => exact(one.gross ?? one.subTotal))));
		const isOnOneCharge = of.every(({ charge, period }) => charge.id === last.charge.id && period.state === "BILLED");
		const charged = isInvoiced ? { amount, tax, gross } : null;
		return [{ ...usageKeyOf(last.charge), start, end, last, charged, isOnOneCharge }];
	});
}

/** Checks that usage windows are billed as recorded, and recorded as counted. */
function* checkUsage(
	work: Work,
	row: SubscriptionRow,
	bills: readonly BilledWindow[],
	others: readonly BilledWindow[],
	lines: readonly IssuedLine[],
): Generator<string> {
	const features = featuresByIds(
		work,
		bills.map(({ featureId }) => featureId),
	);
	const charges = usageChargesOf(work, row);
	for (const bill of bills) {
		const { kind, featureId, interval, start, end, last, charged, isOnOneCharge } = bill;
		const featureRefId = features.get(featureId)?.refId;
		const { state, usageQuantity } = last.period;
		// Releases that did not store the end of a window left it empty.
		if (featureRefId === undefined || state === "ELSEWHERE" || usageQuantity === null || start === end) continue;
		const named = `the subscription ${row.refId}, ${kind} of ${featureRefId} for ${formatPeriod(bill)}`;
		// If two subscriptions of a slot count a window, its lines do not show the subscription.
		const isShared = others.some((one) => one.kind === kind && one.featureId === featureId && one.start === start);
		const window = { kind, featureRefId, windowStart: start, ...(interval && { interval }) };
		const steps = isShared ? undefined : stepsOf(lines, window);
		if (last.period.usageState?.segments) yield* segmentDifferences(named, steps && linesOfWindow(lines, window), last);
		else if (steps && costsMoney(last)) yield* windowDifferences(named, kind, steps, usageQuantity);
		if (last.period.usageState?.levels) yield* levelDifferences(linesOfWindow(lines, window));
		if (last.period.usageState?.commitment) yield* commitmentDifferences(linesOfWindow(lines, window));
		const counted = [...bills, ...others].filter((one) => one.featureId === featureId && one.start === start);
		yield* transactionDifferences(
			linesOfWindow(lines, window),
			counted.flatMap(({ transactionPrice }) => transactionPrice ?? []),
		);
		if (steps && charged) yield* amountDifferences(named, linesOfWindow(lines, window), charged);
		const unstored = bill.committed && unstoredWindows(last.period.usageState);
		if (unstored) {
			yield `${named}: ${unstored}`;
			continue;
		}
		const { billedUntil = null } = charges.get(last.charge.key) ?? {};
		if (interval) {
			const alike = bills.filter((one) => one.last.charge.key === last.charge.key);
			yield* intervalDifferences(
				named,
				last,
				alike.map((one) => one.start),
			);
		}
		if (charged) yield* costDifferences(named, last, charged.gross, { closedUntil: billedUntil, isOnOneCharge });
		const grantedBy = (couponId: string) => findFreeUnits(work, couponId, featureRefId);
		if (steps) yield* freeUnitDifferences(named, linesOfWindow(lines, window), last, grantedBy);
		const meterId = charges.get(last.charge.key)?.usageMeterId ?? null;
		yield* checkCounted(work, row, bill, { named, featureRefId, meterId });
	}
}

const costsMoney = ({ charge: { terms } }: PeriodOfCharge): boolean =>
	terms !== null && "prices" in terms && terms.prices.some(({ charge }) => currencyOfCharge(charge));

/**
 * If a window gained no events since its bill, and the meter is the same, its total is at most the billed one. Later
 * events are late usage, which the next bill charges.
 */
function* checkCounted(
	work: Work,
	row: SubscriptionRow,
	bill: BilledWindow,
	{ named, featureRefId, meterId }: { named: string; featureRefId: string; meterId: string | null },
): Generator<string> {
	const { start, end, last } = bill;
	const { period } = last;
	const { usageEvents: events, usageQuantity: quantity, averagedOverMs, createdAt } = period;
	if (events === null || quantity === null || meterId === null) return;
	const of = meteredBy(work, row)(bill);
	const counted = countedChanges(work, of);
	if (of.totals && counted.meterId === meterId && meteredSince(work, featureRefId) <= createdAt)
		yield* highestDifferences(named, period, counted.within({ start, end }), () =>
			lastCancellationOf(work) > 0 ? undefined : quantityIn(work, of, { start, end }, { averagedOverMs }),
		);
	// The level at an instant is the same only if no report of an earlier time has come; levels over a window have their state.
	if (counted.meterId !== meterId || (counted.isLevel && !bill.level) || counted.within({ start, end }) !== events)
		return;
	if (meteredSince(work, featureRefId) > createdAt) return;
	const { levels: levelWindow, commitment: committedTime } = period.usageState ?? {};
	const measure = { averagedOverMs, levelWindow, committedTime };
	const now = quantityIn(work, of, { start, end }, measure);
	// A lower total means usage was canceled after its bill; it is not refunded.
	if (exact(now).gt(quantity)) yield `${named}: ${quantity} counts as billed, its ${events} events make ${now}`;
}

const meteredSince = (work: Work, featureRefId: string): Instant =>
	findMeterOf(work, featureRefId)?.createdAt ?? (0 as Instant);

const readSubscriptions = ({ tx, actor }: Work, after: string): SubscriptionRow[] =>
	tx
		.select()
		.from(subscriptions)
		.where(and(eq(subscriptions.environmentId, actor.environmentId), gt(subscriptions.id, after)))
		.orderBy(asc(subscriptions.id))
		.limit(subscriptionsAtOnceMax)
		.all();
