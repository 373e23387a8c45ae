import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import { earliest } from "../../kernel/period";
import type { Work } from "../../kernel/work";
import { currenciesByIds } from "../currencies/operations";
import type { CurrencyRow } from "../currencies/table";
import { findCustomer, findResource } from "../customers/operations";
import {
	type FeatureTerms,
	promotionalSource,
	type Source,
	type SourcePart,
	sourcesOf,
} from "../entitlement-sources/rules.sources";
import { featuresByIds, takesReports } from "../features/operations";
import { isMetered } from "../features/rules";
import type { FeatureRow } from "../features/table";
import { entitlementsOfVersions, inheritedEntitlementsOf, versionsByIds } from "../packages/operations";
import type { PackageEntitlementRow } from "../packages/table";
import { activePromotionalEntitlements } from "../promotional-entitlements/operations";
import type { PromotionalEntitlementRow } from "../promotional-entitlements/table";
import { hardBudgetOf } from "../subscriptions/billing/budget/rules";
import {
	addonsOf,
	lastEndedSubscription,
	liveSubscriptions,
	nextSubscriptionStart,
	ownEntitlementsOf,
	quantitiesOf,
} from "../subscriptions/operations.reading";
import type { SubscriptionRow } from "../subscriptions/table";
import type {
	SubscriptionAddonRow,
	SubscriptionEntitlementRow,
	SubscriptionQuantityRow,
} from "../subscriptions/table.parts";
import type { CreditTerms } from "./credits";
import { applicableTo, type CreditRates, ratesOf } from "./operations.credit-rates";

export interface ResolvedFeature {
	readonly feature: FeatureRow;
	readonly isMetered: boolean;
	/** Metered without a meter: callers report, consume and reserve its usage. */
	readonly takesReports: boolean;
	readonly sources: readonly ResolvedSource[];
}

export interface ResolvedSource extends Source {
	/** The subscription of the source, if it has a hard budget for usage charges. */
	readonly budgeted?: SubscriptionRow;
	/** Undefined in the cache: only explanations need it. */
	readonly origin?: SourceOrigin;
}

/** An entitlement of a package, or of a subscription itself, which has no version. */
export type EntitlementTerms = FeatureTerms & { readonly id: string; readonly versionId?: string };

/** The origin of a source: a subscription with its packages, or a promotional entitlement. */
export type SourceOrigin =
	| {
			readonly kind: "SUBSCRIPTION";
			readonly subscription: SubscriptionRow;
			readonly parts: readonly SourcePart<EntitlementTerms>[];
			readonly purchased: Decimal | null;
	  }
	| { readonly kind: "PROMOTIONAL"; readonly grant: PromotionalEntitlementRow };

export interface ResolvedCredits {
	readonly currency: CurrencyRow;
	readonly terms: readonly CreditTerms[];
}

/** The entitlements of a customer without usage: all data of the main file that a check needs. */
export interface Resolved {
	/** Why no access can be granted at all; null if some can be. */
	readonly denied:
		| "CustomerNotFound"
		| "CustomerIsArchived"
		| "CustomerResourceNotFound"
		| "NoActiveSubscription"
		| null;
	/** Row id; null for an unknown customer. */
	readonly customerId: string | null;
	/** By the caller's ids. */
	readonly features: ReadonlyMap<string, ResolvedFeature>;
	readonly credits: ReadonlyMap<string, ResolvedCredits>;
	/** The credit rates of features. */
	readonly rates: CreditRates;
	/**
	 * When the entitlements can change without a request: a subscription or promotional entitlement starts or ends, a trial ends, a
	 * scheduled update is due, or a budget resets. Then they have to be resolved again.
	 */
	readonly changesAt: Instant | null;
}

const nothing = { features: new Map(), credits: new Map(), rates: new Map(), changesAt: null } as const;

/** `customerRef` and `resourceRef` are the caller's ids. */
export function resolveEntitlements(work: Work, customerRef: string, resourceRef: string | null): Resolved {
	const customer = findCustomer(work, customerRef);
	if (!customer) return { ...nothing, denied: "CustomerNotFound", customerId: null };
	const customerId = customer.id;
	if (customer.archivedAt !== null) return { ...nothing, denied: "CustomerIsArchived", customerId };
	const resource = resourceRef === null ? null : findResource(work, customerId, resourceRef);
	if (resource === undefined) return { ...nothing, denied: "CustomerResourceNotFound", customerId };
	const subscriptions = applicableTo(work, liveSubscriptions(work, customerId), resource?.id ?? null);
	// They apply to every subscription and resource of the customer, also without any (docs/interface/entitlements.md).
	const promotional = activePromotionalEntitlements(work, customerId);
	const nextStartAt = nextSubscriptionStart(work, customerId);
	if (subscriptions.length + promotional.length === 0)
		return { ...nothing, denied: "NoActiveSubscription", customerId, changesAt: nextStartAt };
	const loaded = load(work, subscriptions, promotional);
	const changes = [nextStartAt, ...subscriptions.flatMap(changesOf), ...promotional.map(({ endAt }) => endAt)];
	return {
		denied: null,
		customerId,
		features: resolveFeatures(work, loaded),
		credits: resolveCredits(loaded),
		rates: ratesOf(work, subscriptions),
		// The instants of delayed due steps are past.
		changesAt: earliest(changes.filter((at) => at !== null && at > work.now)),
	};
}

/**
 * Whether a feature (the caller's id) was revoked: the last ended subscription granted it, and was canceled with
 * REVOKE_ENTITLEMENTS. Called only where nothing grants access any more.
 */
export function wasRevoked(work: Work, customerId: string, resourceRef: string | null, featureRef: string): boolean {
	const resource = resourceRef === null ? null : findResource(work, customerId, resourceRef);
	if (resource === undefined) return false;
	const last = lastEndedSubscription(work, customerId, resource?.id ?? null);
	if (last?.cancelAction !== "REVOKE_ENTITLEMENTS") return false;
	return resolveFeatures(work, load(work, [last], [])).has(featureRef);
}

const changesOf = (subscription: SubscriptionRow): Array<Instant | null> => {
	const { effectiveEndAt, status, trialEndAt, nextUpdateAt, billedUntil } = subscription;
	return [
		effectiveEndAt,
		status === "IN_TRIAL" ? trialEndAt : null,
		nextUpdateAt,
		hardBudgetOf(subscription) === null ? null : billedUntil,
	];
};

/** One subscription with all its entitlements, in the order of their precedence. */
interface SubscriptionContents {
	readonly subscription: SubscriptionRow;
	/** The plan's entitlements first, then its base plan's. */
	readonly plan: readonly PackageEntitlementRow[];
	readonly addons: readonly { readonly quantity: number; readonly entitlements: readonly PackageEntitlementRow[] }[];
	readonly quantities: readonly SubscriptionQuantityRow[];
	readonly own: readonly SubscriptionEntitlementRow[];
}

interface Loaded {
	readonly contents: readonly SubscriptionContents[];
	readonly promotional: readonly PromotionalEntitlementRow[];
	readonly features: ReadonlyMap<string, FeatureRow>;
	readonly currencies: ReadonlyMap<string, CurrencyRow>;
}

function load(
	work: Work,
	subscriptions: readonly SubscriptionRow[],
	promotional: readonly PromotionalEntitlementRow[],
): Loaded {
	const ids = subscriptions.map(({ id }) => id);
	const addons = bySubscription<SubscriptionAddonRow>(addonsOf(work, ids));
	const quantities = bySubscription<SubscriptionQuantityRow>(quantitiesOf(work, ids));
	const own = bySubscription<SubscriptionEntitlementRow>(ownEntitlementsOf(work, ids));
	const versionIds = [...subscriptions, ...[...addons.values()].flat()].map(({ versionId }) => versionId);
	const versions = versionsByIds(work, versionIds);
	const entitlements = entitlementsOfVersions(work, versionIds);
	const contents = subscriptions.map((subscription): SubscriptionContents => {
		const plan = versions.get(subscription.versionId);
		return {
			subscription,
			plan: [...(entitlements.get(subscription.versionId) ?? []), ...(plan ? inheritedEntitlementsOf(work, plan) : [])],
			addons: (addons.get(subscription.id) ?? []).map(({ versionId, quantity }) => ({
				quantity,
				entitlements: entitlements.get(versionId) ?? [],
			})),
			quantities: quantities.get(subscription.id) ?? [],
			own: own.get(subscription.id) ?? [],
		};
	});
	const referred = contents.flatMap((one) => [
		...one.plan,
		...one.addons.flatMap((addon) => addon.entitlements),
		...one.quantities,
		...one.own,
	]);
	return {
		contents,
		promotional,
		features: featuresByIds(work, [
			...new Set([...referred, ...promotional].flatMap(({ featureId }) => featureId ?? [])),
		]),
		currencies: currenciesByIds(work, [...new Set(referred.flatMap(({ currencyId }) => currencyId ?? []))]),
	};
}

const bySubscription = <Row extends { subscriptionId: string }>(rows: readonly Row[]): Map<string, Row[]> =>
	Map.groupBy(rows, ({ subscriptionId }) => subscriptionId);

function resolveFeatures(work: Work, { contents, promotional, features }: Loaded): Map<string, ResolvedFeature> {
	const resolved = new Map<string, ResolvedFeature>();
	for (const feature of features.values()) {
		const ofFeature = promotional.filter(({ featureId }) => featureId === feature.id);
		const sources = [
			...contents.flatMap((one) => featureSources(one, feature.id)),
			...ofFeature.map(
				(grant): ResolvedSource => ({
					...promotionalSource({ ...grant, isGranted: true }, grant.startAt),
					origin: { kind: "PROMOTIONAL", grant },
				}),
			),
		];
		if (sources.length === 0) continue;
		resolved.set(feature.refId, {
			feature,
			isMetered: isMetered(feature),
			takesReports: takesReports(work, feature),
			sources,
		});
	}
	return resolved;
}

function featureSources(
	{ subscription, plan, addons, quantities, own }: SubscriptionContents,
	featureId: string,
): ResolvedSource[] {
	const about = <Row extends { featureId: string | null }>(rows: readonly Row[]) =>
		rows.filter((row) => row.featureId === featureId);
	return sourcesOf<EntitlementTerms>({
		plan: about(plan),
		addons: addons.flatMap(({ quantity, entitlements }) =>
			about(entitlements).map((terms) => ({ terms, behavior: terms.behavior, quantity })),
		),
		purchased: about(quantities)[0]?.quantity ?? null,
		own: about(own).map((row): EntitlementTerms => ({ ...row, isGranted: true, enumValues: null }))[0] ?? null,
		isTrial: subscription.status === "IN_TRIAL",
		usageAnchorAt: subscription.usageAnchorAt,
		updatedAt: subscription.startAt,
	}).map(({ parts, purchased, ...source }) => ({
		...source,
		origin: { kind: "SUBSCRIPTION", subscription, parts, purchased },
		...(hardBudgetOf(subscription) !== null && { budgeted: subscription }),
	}));
}

function resolveCredits({ contents, currencies }: Loaded): Map<string, ResolvedCredits> {
	const resolved = new Map<string, ResolvedCredits>();
	for (const currency of currencies.values()) {
		const terms = contents.flatMap((one) => creditTerms(one, currency.id));
		if (terms.length > 0) resolved.set(currency.refId, { currency, terms });
	}
	return resolved;
}

/** As with limits, an overriding addon replaces the other packages. */
function creditTerms(contents: SubscriptionContents, currencyId: string): CreditTerms[] {
	const { subscription, plan, addons, quantities, own } = contents;
	const about = <Row extends { currencyId: string | null }>(rows: readonly Row[]) =>
		rows.filter((row) => row.currencyId === currencyId);
	const fromPackage = (row: PackageEntitlementRow, quantity: number): CreditTerms => ({
		isGranted: row.isGranted,
		hasSoftLimit: row.hasSoftLimit ?? false,
		updatedAt: Math.max(row.updatedAt, subscription.startAt) as Instant,
		origin: { subscription, versionId: row.versionId, quantity },
	});
	const added = addons.flatMap(({ quantity, entitlements }) => about(entitlements).map((row) => ({ row, quantity })));
	const overriding = added.filter(({ row }) => row.behavior === "Override");
	const packages = overriding.length > 0 ? overriding : [...about(plan).map((row) => ({ row, quantity: 1 })), ...added];
	const ofItself = {
		isGranted: true,
		hasSoftLimit: false,
		updatedAt: subscription.startAt,
		origin: { subscription, versionId: null, quantity: 1 },
	};
	return [
		...packages.map(({ row, quantity }) => fromPackage(row, quantity)),
		...[...about(own), ...about(quantities)].map(() => ofItself),
	];
}
