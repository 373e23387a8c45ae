import type { Instant } from "../../../kernel/clock";
import { type Decimal, toDecimal } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import {
	currentTotals,
	findWalletById,
	lastGrantedAt,
	periodEndOfWallet,
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
import { emitAlertEvent } from "./events";
import { budgetsOfAlert, evaluateBudgetsOf } from "./operations.budgets";
import { allCustomers, applicable, highestUnrecorded, isReached, type Threshold } from "./rules";
import type { NewUsageAlert, UsageAlertChange, UsageAlertListQuery } from "./schema";
import {
	type AlertFilter,
	changeAlert,
	deleteAlert,
	findAlert,
	findAlike,
	insertAlert,
	insertReached,
	isRecorded,
	type NewAlertRow,
	type NewReachedRow,
	pageAlerts,
	pageReached,
	readCursor,
	selectAlertedEnvironments,
	selectAlertsFor,
	selectAlertsOfEntity,
	selectRecordedForCredits,
	writeCursor,
} from "./store";
import { addResources, deleteChanged, deleteWallet, findChanged, findChangedWallet } from "./store.changes";
import type { ChangedEntitlementsRow, ChangedWalletRow, ReachedAlertRow, UsageAlertRow } from "./table";

/** The thresholds of one customer, or of all customers. Each evaluation examines all of them. */
const alertsPerHolderMax = 100;

/**
 * Creates a threshold for a customer, or for all customers without one of their own. A customer's threshold is evaluated at once, so
 * the alert is emitted if it is already reached. Throws CustomerNotFound, EntityIsArchivedError, FeatureNotFound,
 * MeteringNotAvailableForFeatureType, DuplicatedEntityNotAllowed, BadUserInput.
 */
export function createUsageAlert(
	work: Work,
	{ customerId = null, entityId = null, type, threshold, ...of }: NewUsageAlert,
): UsageAlertRow {
	const customer = customerId === null ? null : getCustomer(work, customerId);
	if (customer) assertNotArchived(customer);
	const row = {
		customerId: customer?.id ?? allCustomers,
		...(entityId === null ? subjectOf(work, of) : budgetsOfAlert(work, customer?.id, entityId, of)),
		type,
		threshold: toDecimal(threshold),
	};
	assertNotDuplicate(work, row);
	const alike =
		row.entityId === ""
			? selectAlertsFor(work, row.customerId).filter(({ customerId: of }) => of === row.customerId)
			: selectAlertsOfEntity(work, row.entityId);
	if (alike.length >= alertsPerHolderMax)
		throw fail("BadUserInput", `There are already ${alertsPerHolderMax} alerts; delete one first.`);
	// Usage from before the first alert is not evaluated. Usage of budgets has a follower of its own.
	if (row.entityId === "" && (readCursor(work) === undefined || selectAlertedEnvironments(work).length === 0))
		writeCursor(work, usageProgress(work).counted);
	const alert = insertAlert(work, row);
	if (customer) evaluateOwnAlert(work, alert);
	work.wake("alerts");
	return alert;
}

/** Returns the feature or the currency of a new alert. */
function subjectOf(
	work: Work,
	{ featureId, currencyId }: Pick<NewUsageAlert, "featureId" | "currencyId">,
): Pick<NewAlertRow, "entityId" | "featureId" | "currencyId"> {
	if ((featureId === undefined) === (currencyId === undefined))
		throw fail("BadUserInput", "body: send exactly one of 'featureId' and 'currencyId'.");
	if (currencyId !== undefined) return { entityId: "", featureId: "", currencyId: getCurrency(work, currencyId).id };
	const feature = getFeature(work, featureId ?? "");
	if (!isMetered(feature))
		throw fail(
			"MeteringNotAvailableForFeatureType",
			`body/featureId: '${featureId}' is not metered, so it has no usage; send a metered feature.`,
		);
	return { entityId: "", featureId: feature.id, currencyId: "" };
}

/** Evaluates a customer's own alert at once. */
function evaluateOwnAlert(work: Work, alert: UsageAlertRow): void {
	const { customerId, currencyId, entityId } = alert;
	if (entityId !== "") evaluateBudgetsOf(work, alert);
	else if (currencyId === "") recordReached(work, customerId, null);
	else
		for (const wallet of walletsFor(work, customerId, null))
			if (wallet.currencyId === currencyId) recordReachedBalance(work, wallet);
}

function assertNotDuplicate(work: Work, row: NewAlertRow): void {
	const alike = findAlike(work, row);
	if (alike)
		throw fail(
			"DuplicatedEntityNotAllowed",
			`The alert '${alike.id}' already has the same threshold; choose another one.`,
		);
}

/** Returns an alert, if it exists. The route answers 404 without a code. */
export const findUsageAlert = (work: Work, id: string): UsageAlertRow | undefined => findAlert(work, id);

/** Changes a threshold. It can be reached once more in the same period. Throws DuplicatedEntityNotAllowed. */
export function updateUsageAlert(work: Work, alert: UsageAlertRow, change: UsageAlertChange): UsageAlertRow {
	const type = change.type ?? alert.type;
	const threshold = change.threshold === undefined ? alert.threshold : toDecimal(change.threshold);
	if (type === alert.type && threshold === alert.threshold) return alert;
	assertNotDuplicate(work, { ...alert, type, threshold });
	const changed = changeAlert(work, alert, { type, threshold });
	if (alert.customerId !== allCustomers) evaluateOwnAlert(work, changed);
	return changed;
}

/** Deletes an alert. Its reached alerts stay. */
export const deleteUsageAlert = (work: Work, alert: UsageAlertRow): void => deleteAlert(work, alert.id);

export const listUsageAlerts = (work: Work, query: UsageAlertListQuery): Page<UsageAlertRow> =>
	pageAlerts(work, query, filterOf(work, query));

export const listReachedAlerts = (work: Work, query: UsageAlertListQuery): Page<ReachedAlertRow> =>
	pageReached(work, query, filterOf(work, query));

const filterOf = (work: Work, { customerId, featureId, currencyId }: UsageAlertListQuery): AlertFilter => ({
	customerId: customerId === undefined ? undefined : (findCustomer(work, customerId)?.id ?? ""),
	featureId: featureId === undefined ? undefined : (findFeature(work, featureId)?.id ?? unknown),
	currencyId: currencyId === undefined ? undefined : (findCurrency(work, currencyId)?.id ?? unknown),
});

/** Matches no row. An empty id would match alerts of the other kind. */
const unknown = "unknown";

/**
 * Returns the thresholds that a customer (its row id) or a resource (the caller's id) has reached in the current usage period and
 * that are not recorded yet.
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
		return [...own, ...webhookThresholds(feature.id, asked, own)]
			.filter((alert) => isReached(alert, { usage, limit }))
			.map(({ id, type, threshold }) => ({
				alertId: id,
				customerId,
				featureId: feature.id,
				currencyId: "",
				resourceRef: resourceRef ?? "",
				budgetId: "",
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

/** Returns the percentages that webhooks subscribe to, except those that an alert already has. */
const webhookThresholds = (featureId: string, asked: readonly Decimal[], alerts: readonly Threshold[]) =>
	asked
		.filter((threshold) => !alerts.some((alert) => alert.type === "PERCENT" && alert.threshold === threshold))
		.map((threshold) => ({ id: `webhooks ${featureId}`, type: "PERCENT" as const, threshold }));

/**
 * Records a reached threshold and emits its event in the same transaction, once for each alert, threshold, subject and usage
 * period. Returns undefined if it was already recorded. No other function records one.
 */
export function recordReachedAlert(work: Work, reached: NewReachedRow): ReachedAlertRow | undefined {
	const recorded = insertReached(work, reached);
	if (recorded) emitAlertEvent(work, recorded);
	return recorded;
}

/** Returns a customer or resource with changed entitlements to examine, if there is one. */
export const findChangedEntitlements = (work: Work): ChangedEntitlementsRow | undefined => findChanged(work);

/**
 * Examines a customer or resource with changed entitlements. The same transaction removes the mark, so no later change is lost. After
 * a customer, its resources are examined, because a customer's entitlements also apply to them.
 */
export function examineChangedEntitlements(work: Work, changed: ChangedEntitlementsRow): void {
	const { customerId, resourceId } = changed;
	deleteChanged(work, changed);
	const isCustomer = resourceId === "";
	if (isCustomer) addResources(work, changed);
	const resourceRef = isCustomer ? null : resourcesByIds(work, [resourceId]).get(resourceId)?.refId;
	if (resourceRef !== undefined) recordReached(work, customerId, resourceRef);
}

/** Compares the usage of a customer or a resource with its thresholds, and records the reached ones. */
export function recordReached(work: Work, customerId: string, resourceRef: string | null): ReachedAlertRow[] {
	return newlyReached(work, customerId, resourceRef).flatMap((reached) => recordReachedAlert(work, reached) ?? []);
}

/** Returns a wallet with changed credits to examine, if there is one. */
export const findChangedBalance = (work: Work): ChangedWalletRow | undefined => findChangedWallet(work);

/** As `examineChangedEntitlements`, for a wallet. */
export function examineChangedBalance(work: Work, changed: ChangedWalletRow): void {
	deleteWallet(work, changed);
	const wallet = findWalletById(work, changed.walletId);
	if (wallet) recordReachedBalance(work, wallet);
}

/**
 * Compares the used credits of a wallet with its thresholds, and records the highest reached one, once since the last grant.
 */
function recordReachedBalance(work: Work, wallet: CreditWalletRow): ReachedAlertRow[] {
	const { customerId, currencyId, resourceRef } = wallet;
	const alerts = applicable(selectAlertsFor(work, customerId)).filter((alert) => alert.currencyId === currencyId);
	if (alerts.length === 0) return [];
	const { usage, limit } = currentTotals(work, wallet);
	const periodStart = lastGrantedAt(work, wallet) ?? (0 as Instant);
	const periodEnd = periodEndOfWallet(work, wallet.id);
	const of = { customerId, currencyId, resourceRef, periodStart };
	const reached = alerts
		.filter((alert) => isReached(alert, { usage, limit }))
		.map(({ id, type, threshold }) => ({
			...{ ...of, alertId: id, featureId: "", budgetId: "", type, threshold, usage, usageLimit: limit, periodEnd },
		}));
	return highestUnrecorded(reached, selectRecordedForCredits(work, of)).flatMap(
		(one) => recordReachedAlert(work, one) ?? [],
	);
}
