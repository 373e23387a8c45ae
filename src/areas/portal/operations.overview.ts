import { toIso } from "../../kernel/clock";
import { toWire } from "../../kernel/decimal";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { getCustomer } from "../customers/operations";
import { assertNotArchived } from "../customers/rules";
import type { CustomerRow } from "../customers/table";
import type { EffectiveEntitlement } from "../entitlement-sources/schema";
import { listEntitlements } from "../entitlements/operations";
import { featuresByRefs } from "../features/operations";
import { amountsDue, listCustomerInvoices } from "../invoices/operations";
import { receiptsOfCustomer } from "../invoices/receipts/operations";
import { receiptNumber } from "../invoices/rules";
import type { InvoiceRow } from "../invoices/table";
import type { ReceiptRow } from "../invoices/table.receipts";
import { getLogo, issuersByIds, listLegalEntities } from "../legal-entities/operations";
import { entitlementsOfVersions } from "../packages/operations";
import { viewBillingPeriod } from "../pricing/rules.billing-period";
import { listSubscriptions } from "../subscriptions/operations";
import type { PhaseShown } from "../subscriptions/schema";
import { type OwnSubscription, withAllowed } from "./operations";
import { anyOwnSession, ownSession } from "./operations.sessions";
import { billingOf, cancellationTimeOf } from "./rules";
import type {
	Branding,
	PortalInvoice,
	PortalInvoiceQuery,
	PortalOverview,
	PortalReceipt,
	PortalSubscription,
	PortalUsage,
} from "./schema";

/** Our limits for one page. */
const subscriptionsMax = "50";
const resourcesMax = 10;

/** Returns the content of the caller's portal page, except the invoices. */
export function readOwnOverview(work: Work): PortalOverview {
	const { session, customer } = ownSession(work);
	return { ...overviewOf(work, customer), returnUrl: session.returnUrl, expiresAt: toIso(session.expiresAt) };
}

/** Returns the same content for a widget in the seller's page. Throws CustomerNotFound, EntityIsArchivedError. */
export function readOverview(work: Work, customerRef: string): PortalOverview {
	return { ...overviewOf(work, shownCustomer(work, customerRef)), returnUrl: null, expiresAt: null };
}

/** Throws CustomerNotFound, EntityIsArchivedError. */
export function shownCustomer(work: Work, customerRef: string): CustomerRow {
	const customer = getCustomer(work, customerRef);
	assertNotArchived(customer);
	return customer;
}

function overviewOf(work: Work, customer: CustomerRow): Omit<PortalOverview, "returnUrl" | "expiresAt"> {
	const { rows } = listSubscriptions(work, {
		customerId: customer.refId,
		status: ["ACTIVE", "IN_TRIAL", "NOT_STARTED", "PAYMENT_PENDING", "PAUSED"],
		limit: subscriptionsMax,
	});
	// A subscription that replaces another is shown as a change of that one.
	const own = withAllowed(
		work,
		rows.filter(({ supersedesId }) => supersedesId === null),
	);
	return {
		customerId: customer.refId,
		language: customer.language,
		billing: billingOf(customer),
		subscriptions: own.map(viewOwn),
		usage: usageOf(work, customer, own),
	};
}

export const viewOwn = ({ shown, allowed }: OwnSubscription): PortalSubscription => ({
	id: shown.row.refId,
	plan: { id: shown.plan.refId, displayName: shown.plan.displayName },
	resourceId: shown.view.resourceId,
	status: shown.view.status,
	...(shown.row.billingPeriod === null ? { billingPeriod: null } : viewBillingPeriod(shown.row.billingPeriod)),
	price: shown.price,
	quantities: shown.quantities.map(({ featureId, name, quantity }) => ({ featureId, featureName: name, quantity })),
	addons: shown.addons.map(({ version, quantity }) => ({
		id: version.refId,
		displayName: version.displayName,
		quantity,
	})),
	...(shown.view.phase && { phase: ownPhase(shown.view.phase) }),
	...ownTerm(shown),
	...(shown.commitments.length > 0 && { commitments: [...shown.commitments] }),
	...(shown.bounds.length > 0 && { bounds: [...shown.bounds] }),
	startDate: shown.view.startDate,
	trialEndDate: shown.view.trialEndDate,
	currentBillingPeriodEnd: shown.view.currentBillingPeriodEnd,
	cancellationDate: shown.view.cancellationDate,
	changes: [...shown.changes],
	allowed,
	cancelsAt: cancellationTimeOf(shown.row, shown.product.settings),
});

const ownTerm = ({ view: { currentTerm }, boundEnd }: OwnSubscription["shown"]): Pick<PortalSubscription, "term"> =>
	currentTerm && boundEnd
		? {
				term: {
					endDate: currentTerm.endDate,
					noticeDate: currentTerm.noticeDate,
					cancellationEnd: toIso(boundEnd.endAt),
					owedUntil: boundEnd.owedUntil === null ? null : toIso(boundEnd.owedUntil),
				},
			}
		: {};

const ownPhase = ({ displayName, percentOff, endDate }: PhaseShown) => ({
	displayName,
	...(percentOff !== undefined && { percentOff }),
	endDate,
});

/** Returns entitlements and usage of the customer and of each resource, without those hidden from portals. */
function usageOf(work: Work, customer: CustomerRow, own: readonly OwnSubscription[]): PortalUsage[] {
	const hidden = hiddenFrom(work, own);
	const resources = [...new Set(own.map(({ shown }) => shown.view.resourceId))].slice(0, resourcesMax);
	return (resources.length === 0 ? [null] : resources).flatMap((resourceId) => {
		const { entitlements } = listEntitlements(work, customer.refId, resourceId);
		const features = featuresByRefs(
			work,
			entitlements.flatMap((one) => (one.type === "FEATURE" ? (one.feature?.id ?? []) : [])),
		);
		return entitlements.flatMap((one) => {
			const feature = one.type === "FEATURE" ? features.get(one.feature?.id ?? "") : undefined;
			if (feature && hidden.has(feature.id)) return [];
			return viewUsage(one, resourceId, feature?.featureUnitsPlural ?? null);
		});
	});
}

function viewUsage(one: EffectiveEntitlement, resourceId: string | null, units: string | null): PortalUsage[] {
	if (one.type === "CREDIT")
		return [
			{
				name: one.currency.displayName,
				resourceId,
				kind: "CREDIT",
				isGranted: one.isGranted,
				used: one.currentUsage,
				limit: one.usageLimit,
				isUnlimited: false,
				units: one.currency.unitPlural,
				resetsAt: null,
			},
		];
	// A denied entitlement is shown only if its limit is used up.
	if (!one.feature || (!one.isGranted && one.usageLimit === undefined)) return [];
	return [
		{
			name: one.feature.displayName,
			resourceId,
			kind: "FEATURE",
			isGranted: one.isGranted,
			used: one.currentUsage ?? null,
			limit: one.usageLimit ?? null,
			isUnlimited: one.hasUnlimitedUsage ?? false,
			units,
			resetsAt: one.usagePeriodEnd ?? null,
		},
	];
}

/** Returns the row ids of features that all of these subscriptions hide from portals. */
function hiddenFrom(work: Work, own: readonly OwnSubscription[]): ReadonlySet<string> {
	const versionIds = own.flatMap(({ shown }) => [shown.plan.id, ...shown.addons.map(({ version }) => version.id)]);
	const rows = [...entitlementsOfVersions(work, versionIds).values()].flat();
	const isHidden = ({ hiddenFromWidgets }: (typeof rows)[number]) => hiddenFromWidgets.includes("CUSTOMER_PORTAL");
	const shown = new Set(rows.filter((row) => !isHidden(row)).map(({ featureId }) => featureId));
	return new Set(
		rows.filter((row) => isHidden(row) && !shown.has(row.featureId)).flatMap(({ featureId }) => featureId ?? []),
	);
}

/** Lists issued invoices, newest first. */
export function listShownInvoices(work: Work, customer: CustomerRow, query: PortalInvoiceQuery): Page<InvoiceRow> {
	return listCustomerInvoices(work, customer.id, {
		...query,
		stateIn: ["OPEN", "PAID", "CANCELED"],
		orderDir: "DESC",
	});
}

/** Lists payments and money that went back, newest first. */
export const listShownReceipts = (work: Work, customer: CustomerRow, query: PortalInvoiceQuery): Page<ReceiptRow> =>
	receiptsOfCustomer(work, customer.id, query);

export const viewShownReceipt = (row: ReceiptRow): PortalReceipt => ({
	id: row.id,
	number: receiptNumber(row),
	kind: row.kind,
	date: toIso(row.receivedAt),
	currency: row.currency,
	amount: toWire(row.amount),
	method: row.method,
});

/** Returns a view function for these invoices; reads the amounts due of all of them at once. */
export function invoicesShown(work: Work, rows: readonly InvoiceRow[]): (row: InvoiceRow) => PortalInvoice {
	const due = amountsDue(work, rows);
	return (row) => ({
		id: row.id,
		number: row.number,
		state: row.state,
		issueDate: toIso(row.issuedAt),
		dueDate: toIso(row.dueAt),
		currency: row.currency,
		total: toWire(row.total),
		due: row.state === "OPEN" ? toWire(due.get(row.id) ?? row.total) : 0,
	});
}

/** Returns the branding of the legal entity that invoices the customer, or of the default one. */
export function readBranding(work: Work): Branding {
	const { legalEntityId } = anyOwnSession(work).customer;
	const issuer =
		legalEntityId === null
			? listLegalEntities(work).find(({ entity }) => entity.isDefault)
			: issuersByIds(work, [legalEntityId]).get(legalEntityId);
	if (!issuer) return { name: "", color: null, logo: null, email: null };
	const { name, brandColor, logoId, email } = issuer.entity;
	const logo = logoId === null ? undefined : getLogo(work, logoId);
	return {
		name,
		color: brandColor,
		email,
		logo: logo ? `data:${logo.contentType};base64,${logo.bytes.toString("base64")}` : null,
	};
}
