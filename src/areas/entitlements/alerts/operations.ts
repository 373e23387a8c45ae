import type { Instant } from "../../../kernel/clock";
import { type Decimal, toDecimal } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import {
	findWalletById,
	lastGrantedAt,
	periodEndOfWallet,
	shownNow,
	walletsFor,
} from "../../credits/operations.wallets";
import type { CreditWalletRow } from "../../credits/table";
import { findCurrency, getCurrency } from "../../currencies/operations";
import { findCustomer, getCustomer, getCustomerById, resourcesByIds } from "../../customers/operations";
import { assertNotArchived } from "../../customers/rules";
import { isLimitless } from "../../entitlement-sources/rules.precedence";
import { featuresByIds, findFeature, getFeature } from "../../features/operations";
import { isMetered } from "../../features/rules";
import { usageProgress } from "../../usage/operations";
import { subscribedThresholds } from "../../webhooks/operations.subscribers";
import { findEntitlement } from "../operations";
import { resolveEntitlements } from "../operations.resolve";
import { alertTold } from "./events";
import { applicable, everybody, highestNews, isReached, type Threshold } from "./rules";
import type { NewUsageAlert, UsageAlertChange, UsageAlertListQuery } from "./schema";
import {
	changeAlert,
	deleteAlert,
	findAlert,
	findAlike,
	insertAlert,
	insertReached,
	isRecorded,
	type NewAlertRow,
	type NewReachedRow,
	type OfWhom,
	pageAlerts,
	pageReached,
	readCursor,
	selectAlertedEnvironments,
	selectAlertsFor,
	selectToldOfCredits,
	writeCursor,
} from "./store";
import { addResources, findChanged, findChangedWallet, forgetChanged, forgetWallet } from "./store.changes";
import type { ChangedEntitlementsRow, ChangedWalletRow, ReachedAlertRow, UsageAlertRow } from "./table";

/** Our choice: as many thresholds as are of use for one customer, or for everybody; each costs a look at every evaluation. */
const alertsPerHolderMax = 100;

/**
 * Sets a threshold for a customer, or for all who have none of their own. A customer's usage is looked at at once, so one that
 * is reached already is told of. CustomerNotFound, EntityIsArchivedError, FeatureNotFound, MeteringNotAvailableForFeatureType,
 * DuplicatedEntityNotAllowed, BadUserInput.
 */
export function createUsageAlert(
	work: Work,
	{ customerId = null, type, threshold, ...of }: NewUsageAlert,
): UsageAlertRow {
	const customer = customerId === null ? null : getCustomer(work, customerId);
	if (customer) assertNotArchived(customer);
	const row = { customerId: customer?.id ?? everybody, ...subjectOf(work, of), type, threshold: toDecimal(threshold) };
	assertUnlike(work, row);
	const alike = selectAlertsFor(work, row.customerId).filter(({ customerId: of }) => of === row.customerId);
	if (alike.length >= alertsPerHolderMax)
		throw fail("BadUserInput", `There are ${alertsPerHolderMax} alerts already; delete one of them first.`);
	// What was counted before there was any alert is no news.
	if (readCursor(work) === undefined || selectAlertedEnvironments(work).length === 0)
		writeCursor(work, usageProgress(work).counted);
	const alert = insertAlert(work, row);
	if (customer) lookAtOwn(work, alert);
	work.wake("alerts");
	return alert;
}

/** Usage of a feature, or of credits of a currency. */
function subjectOf(
	work: Work,
	{ featureId, currencyId }: Pick<NewUsageAlert, "featureId" | "currencyId">,
): Pick<NewAlertRow, "featureId" | "currencyId"> {
	if ((featureId === undefined) === (currencyId === undefined))
		throw fail("BadUserInput", "body: give exactly one of 'featureId' and 'currencyId'.");
	if (currencyId !== undefined) return { featureId: "", currencyId: getCurrency(work, currencyId).id };
	const feature = getFeature(work, featureId ?? "");
	if (!isMetered(feature))
		throw fail(
			"MeteringNotAvailableForFeatureType",
			`body/featureId: '${featureId}' is not metered, so no usage of it reaches a threshold; name a metered feature.`,
		);
	return { featureId: feature.id, currencyId: "" };
}

/** What has been reached already when a customer's own alert is set is told of at once. */
function lookAtOwn(work: Work, { customerId, currencyId }: UsageAlertRow): void {
	if (currencyId === "") recordReached(work, customerId, null);
	else
		for (const wallet of walletsFor(work, customerId, null))
			if (wallet.currencyId === currencyId) recordReachedBalance(work, wallet);
}

function assertUnlike(work: Work, row: NewAlertRow): void {
	const alike = findAlike(work, row);
	if (alike)
		throw fail(
			"DuplicatedEntityNotAllowed",
			`The alert '${alike.id}' has the same threshold already; choose another, or leave it.`,
		);
}

/** Undefined when there is none of this id: 404 with code null is the route's. */
export const findUsageAlert = (work: Work, id: string): UsageAlertRow | undefined => findAlert(work, id);

/** A threshold that is changed is another one: it can be reached once more in the same period. DuplicatedEntityNotAllowed. */
export function updateUsageAlert(work: Work, alert: UsageAlertRow, change: UsageAlertChange): UsageAlertRow {
	const type = change.type ?? alert.type;
	const threshold = change.threshold === undefined ? alert.threshold : toDecimal(change.threshold);
	if (type === alert.type && threshold === alert.threshold) return alert;
	assertUnlike(work, { ...alert, type, threshold });
	const changed = changeAlert(work, alert, { type, threshold });
	if (alert.customerId !== everybody) lookAtOwn(work, changed);
	return changed;
}

/** What it has told of stays. */
export const deleteUsageAlert = (work: Work, alert: UsageAlertRow): void => deleteAlert(work, alert.id);

export const listUsageAlerts = (work: Work, query: UsageAlertListQuery): Page<UsageAlertRow> =>
	pageAlerts(work, query, ofWhom(work, query));

export const listReachedAlerts = (work: Work, query: UsageAlertListQuery): Page<ReachedAlertRow> =>
	pageReached(work, query, ofWhom(work, query));

const ofWhom = (work: Work, { customerId, featureId, currencyId }: UsageAlertListQuery): OfWhom => ({
	customerId: customerId === undefined ? undefined : (findCustomer(work, customerId)?.id ?? ""),
	featureId: featureId === undefined ? undefined : (findFeature(work, featureId)?.id ?? unknown),
	currencyId: currencyId === undefined ? undefined : (findCurrency(work, currencyId)?.id ?? unknown),
});

/** No row's id: empty says that an alert is of the other. */
const unknown = "unknown";

/**
 * Which thresholds a customer (its row id), or one of its resources (the caller's id), has reached in the usage period that
 * runs, and that nobody was told of yet. Only reads.
 */
export function newlyReached(work: Work, customerId: string, resourceRef: string | null): NewReachedRow[] {
	const alerts = applicable(selectAlertsFor(work, customerId));
	const asked = subscribedThresholds(work).map(toDecimal);
	if (alerts.length === 0 && asked.length === 0) return [];
	const { refId } = getCustomerById(work, customerId);
	const features = featuresByIds(work, [...new Set(alerts.map(({ featureId }) => featureId))]);
	if (features.size === 0 && asked.length === 0) return [];
	const resolved = resolveEntitlements(work, refId, resourceRef);
	if (asked.length > 0)
		for (const { feature } of resolved.features.values()) if (isMetered(feature)) features.set(feature.id, feature);
	return [...features.values()].flatMap((feature) => {
		const query = {
			featureId: feature.refId,
			requestedUsage: "0",
			...(resourceRef !== null && { resourceId: resourceRef }),
		};
		const finding = findEntitlement(work, refId, query, () => resolved);
		const shown = finding.kind === "FEATURE" ? finding.decision.shown : null;
		if (!shown || shown.source.isRevoked) return [];
		const { source, period, usage } = shown;
		const limit = isLimitless(source) ? null : source.usageLimit;
		const own = alerts.filter(({ featureId }) => featureId === feature.id);
		return [...own, ...askedByWebhooks(feature.id, asked, own)]
			.filter((alert) => isReached(alert, { usage, limit }))
			.map(({ id, type, threshold }) => ({
				alertId: id,
				customerId,
				featureId: feature.id,
				currencyId: "",
				resourceRef: resourceRef ?? "",
				type,
				threshold,
				usage,
				usageLimit: limit,
				periodStart: period?.start ?? (0 as Instant),
				periodEnd: period?.end ?? null,
			}))
			.filter((reached) => !isRecorded(work, reached));
	});
}

/** Percentages that webhooks ask for stand beside the alerts; what an alert tells of is told once. */
const askedByWebhooks = (featureId: string, asked: readonly Decimal[], alerts: readonly Threshold[]) =>
	asked
		.filter((threshold) => !alerts.some((alert) => alert.type === "PERCENT" && alert.threshold === threshold))
		.map((threshold) => ({ id: `webhooks ${featureId}`, type: "PERCENT" as const, threshold }));

/**
 * Records that a threshold was reached, once for each alert, threshold, subject and usage period; undefined when it was
 * recorded before. The one place that does: whatever is to be told outside is told from here, in the same transaction.
 */
export function recordReachedAlert(work: Work, reached: NewReachedRow): ReachedAlertRow | undefined {
	const recorded = insertReached(work, reached);
	if (recorded) alertTold(work, recorded);
	return recorded;
}

/** Somebody whose entitlements have changed since thresholds were looked at; undefined when there is nobody. */
export const findChangedEntitlements = (work: Work): ChangedEntitlementsRow | undefined => findChanged(work);

/**
 * Looks at one whose entitlements have changed, in the transaction that forgets it, so that no later change is lost. What a
 * customer is entitled to holds for its resources too: these are looked at one after the other.
 */
export function lookAtChanged(work: Work, changed: ChangedEntitlementsRow): void {
	const { customerId, resourceId } = changed;
	forgetChanged(work, changed);
	const isCustomer = resourceId === "";
	if (isCustomer) addResources(work, changed);
	const resourceRef = isCustomer ? null : resourcesByIds(work, [resourceId]).get(resourceId)?.refId;
	if (resourceRef !== undefined) recordReached(work, customerId, resourceRef);
}

/** Looks at a customer's usage, or a resource's, and records what it has reached: after whatever has changed it. */
export function recordReached(work: Work, customerId: string, resourceRef: string | null): ReachedAlertRow[] {
	return newlyReached(work, customerId, resourceRef).flatMap((reached) => recordReachedAlert(work, reached) ?? []);
}

/** A wallet whose credits have changed since thresholds were looked at; undefined when there is none. */
export const findChangedBalance = (work: Work): ChangedWalletRow | undefined => findChangedWallet(work);

/** As `lookAtChanged`, at a wallet. */
export function lookAtChangedBalance(work: Work, changed: ChangedWalletRow): void {
	forgetWallet(work, changed);
	const wallet = findWalletById(work, changed.walletId);
	if (wallet) recordReachedBalance(work, wallet);
}

/**
 * Looks at what a wallet has used of its credits, and records the highest threshold that it has reached: each once since credits
 * were granted last.
 */
function recordReachedBalance(work: Work, wallet: CreditWalletRow): ReachedAlertRow[] {
	const { customerId, currencyId, resourceRef } = wallet;
	const alerts = applicable(selectAlertsFor(work, customerId)).filter((alert) => alert.currencyId === currencyId);
	if (alerts.length === 0) return [];
	const { usage, limit } = shownNow(work, wallet);
	const periodStart = lastGrantedAt(work, wallet) ?? (0 as Instant);
	const periodEnd = periodEndOfWallet(work, wallet.id);
	const of = { customerId, currencyId, resourceRef, periodStart };
	const reached = alerts
		.filter((alert) => isReached(alert, { usage, limit }))
		.map(({ id, type, threshold }) => ({
			...{ ...of, alertId: id, featureId: "", type, threshold, usage, usageLimit: limit, periodEnd },
		}));
	return highestNews(reached, selectToldOfCredits(work, of)).flatMap((one) => recordReachedAlert(work, one) ?? []);
}
