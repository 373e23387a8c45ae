import { and, eq, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea } from "../../graphql/area";
import type { Asking } from "../../graphql/asking";
import { choice, date, flag, type List, numeric, text, textThrough } from "../../graphql/list";
import { moneyOrNull } from "../../graphql/spelling";
import { toWire, toWireOrNull } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { currenciesByIds } from "../currencies/operations";
import { featuresByIds } from "../features/operations";
import { productsByIds } from "../products/operations";
import { products } from "../products/table";
import {
	chargesOfVersions,
	entitlementsOfVersions,
	inheritedEntitlementsOf,
	latestVersionsOf,
	listPackages,
	packagesByRefs,
	versionsByIds,
} from "./operations";
import type { PackageKind } from "./schema";
import { type ChargeRow, type PackageEntitlementRow, packages, packageVersions, type VersionRow } from "./table";

/** What plans and addons have alike. */
const versionFields = `
	"Each version has an id of its own."
	id: ID!
	"The caller's id, the same for all versions."
	refId: String!
	displayName: String!
	description: String
	additionalMetaData: JSON
	billingId: String
	status: PackageStatus!
	versionNumber: Int!
	isLatest: Boolean!
	pricingType: PricingType
	product: Product!
	"Grants of features; those of the base plan are inherited."
	entitlements: [PackageEntitlement!]
	prices: [Price!]
	environmentId: String!
	createdAt: DateTime!
	updatedAt: DateTime!
`;

const typeDefs = `
	enum PackageStatus { DRAFT PUBLISHED ARCHIVED }
	enum PricingType { FREE PAID CUSTOM }
	enum BillingModel { FLAT_FEE MINIMUM_SPEND PER_UNIT USAGE_BASED CREDIT_BASED }
	enum BillingPeriod { MONTHLY ANNUALLY }
	enum BillingCadence { RECURRING ONE_OFF }
	enum TiersMode { VOLUME GRADUATED }
	enum TrialPeriodUnits { DAY MONTH }
	enum TrialEndBehavior { CONVERT_TO_PAID CANCEL_SUBSCRIPTION }
	enum EntitlementResetPeriod { YEAR MONTH WEEK DAY HOUR }
	enum WidgetType { PAYWALL CUSTOMER_PORTAL CHECKOUT }
	type PriceTier { upTo: Float unitPrice: Money flatPrice: Money }
	type CreditRate { amount: Float! currencyId: String costFormula: String }
	type Price {
		id: ID!
		billingModel: BillingModel!
		billingPeriod: BillingPeriod!
		billingCadence: BillingCadence!
		billingCountryCode: String
		billingId: String
		minUnitQuantity: Int
		maxUnitQuantity: Int
		"Of tiers, what the first one costs; null where credits pay."
		price: Money
		tiers: [PriceTier!]
		tiersMode: TiersMode
		blockSize: Float
		creditRate: CreditRate
		feature: Feature
	}
	type PackageEntitlement {
		id: ID!
		"The caller's id of the feature."
		featureId: String!
		feature: Feature!
		description: String
		displayNameOverride: String
		usageLimit: Float
		hasUnlimitedUsage: Boolean
		hasSoftLimit: Boolean
		isGranted: Boolean!
		hiddenFromWidgets: [WidgetType!]
		enumValues: [String!]
		resetPeriod: EntitlementResetPeriod
		createdAt: DateTime!
		updatedAt: DateTime!
	}
	type TrialBudget { limit: Float! hasSoftLimit: Boolean! }
	type DefaultTrialConfig {
		duration: Float!
		units: TrialPeriodUnits!
		budget: TrialBudget
		trialEndBehavior: TrialEndBehavior
	}
	type Plan {
		${versionFields}
		basePlan: Plan
		inheritedEntitlements: [PackageEntitlement!]
		"The published addons that may go with it, at most a hundred."
		compatibleAddons: [Addon!]
		defaultTrialConfig: DefaultTrialConfig
	}
	type Addon {
		${versionFields}
		"How many one subscription may hold; null means any number."
		maxQuantity: Int
		dependencies: [Addon!]
	}
`;

/** By the base's package id: what a version inherits hangs on its base alone. */
const inheritedFrom = (work: Work, parentIds: readonly string[]): Map<string, PackageEntitlementRow[]> =>
	new Map(parentIds.map((parentId) => [parentId, inheritedEntitlementsOf(work, { parentId })]));

function addonsByRefs(work: Work, refIds: readonly string[]): Map<string, VersionRow> {
	const found = packagesByRefs(work, "ADDON", refIds);
	const latest = latestVersionsOf(
		work,
		[...found.values()].map(({ id }) => id),
	);
	return new Map([...latest.values()].map((version) => [version.refId, version]));
}

/** By product: its published addons, newest first, as many as one page of REST holds. */
function addonsOfProducts(work: Work, productIds: readonly string[]): Map<string, VersionRow[]> {
	const found = [...productsByIds(work, productIds).values()];
	return new Map(
		found.map(({ id, refId }) => {
			const page = listPackages(work, "ADDON", { productId: refId, status: "PUBLISHED", limit: "100" });
			return [id, page.rows.map(({ version }) => version)];
		}),
	);
}

/** Grants of credits are no entitlements of a feature, which clients take for granted here (graphql.md, section 8). */
const ofFeatures = (rows: readonly PackageEntitlementRow[] | undefined) =>
	(rows ?? []).filter(({ type }) => type === "FEATURE");

const versionResolvers = {
	additionalMetaData: ({ metadata }: VersionRow) => metadata,
	product: (row: VersionRow, _: unknown, asking: Asking) =>
		asking.related(row, ({ productId }) => productId, productsByIds),
	entitlements: (row: VersionRow, _: unknown, asking: Asking) =>
		ofFeatures(asking.related(row, ({ id }) => id, entitlementsOfVersions)),
	prices: (row: VersionRow, _: unknown, asking: Asking) =>
		(asking.related(row, ({ id }) => id, chargesOfVersions) ?? []).filter(({ isOverage }) => !isOverage),
	// As in REST: the package's birth, the version's last change.
	createdAt: ({ packageCreatedAt }: VersionRow) => packageCreatedAt,
};

const plan = fieldsOf<VersionRow>({
	scope: "CATALOG:READ",
	open: ["id", "refId"],
	fields: {
		...versionResolvers,
		basePlan: (row, _, asking) => asking.related(row, ({ parentId }) => parentId, latestVersionsOf),
		inheritedEntitlements: (row, _, asking) =>
			ofFeatures(asking.related(row, ({ parentId }) => parentId, inheritedFrom)),
		compatibleAddons(row, _, asking) {
			const offered = asking.related(row, ({ productId }) => productId, addonsOfProducts) ?? [];
			const { compatibleAddonRefs } = row;
			return compatibleAddonRefs ? offered.filter(({ refId }) => compatibleAddonRefs.includes(refId)) : offered;
		},
		defaultTrialConfig: ({ defaultTrial }) =>
			defaultTrial && {
				...defaultTrial,
				budget: defaultTrial.budget && { ...defaultTrial.budget, limit: toWire(defaultTrial.budget.limit) },
			},
	},
});

const addon = fieldsOf<VersionRow>({
	scope: "CATALOG:READ",
	open: ["id", "refId"],
	fields: {
		...versionResolvers,
		dependencies: (row, _, asking) =>
			asking.relatedAll(row, ({ dependencyRefs }) => dependencyRefs ?? [], addonsByRefs),
	},
});

const price = fieldsOf<ChargeRow>({
	fields: {
		// No integration gives an id to a single price.
		billingId: () => null,
		price: ({ price, tiers }) => moneyOrNull(price ?? tiers?.[0]?.unitPrice ?? tiers?.[0]?.flatPrice ?? null),
		tiers: ({ tiers }) =>
			tiers?.map(({ upTo, unitPrice, flatPrice }) => ({
				upTo: toWireOrNull(upTo),
				unitPrice: moneyOrNull(unitPrice),
				flatPrice: moneyOrNull(flatPrice),
			})),
		blockSize: ({ blockSize }) => toWireOrNull(blockSize),
		creditRate(row, _, asking) {
			const currency = asking.related(row, ({ creditCurrencyId }) => creditCurrencyId, currenciesByIds);
			if (row.creditAmount === null) return null;
			return { amount: toWire(row.creditAmount), currencyId: currency?.refId, costFormula: row.creditCostFormula };
		},
		feature: (row, _, asking) => asking.related(row, ({ featureId }) => featureId, featuresByIds),
	},
});

const featureOf = (row: PackageEntitlementRow, asking: Asking) =>
	asking.related(row, ({ featureId }) => featureId, featuresByIds);

const entitlement = fieldsOf<PackageEntitlementRow>({
	fields: {
		featureId: (row, _, asking) => featureOf(row, asking)?.refId,
		feature: (row, _, asking) => featureOf(row, asking),
		usageLimit: ({ usageLimit }) => toWireOrNull(usageLimit),
	},
});

/** One row for each package: its latest version, or the draft while nothing is published (as REST's lists without a status). */
const shownVersion = sql`(${packageVersions.isLatest} = 1 or (${packageVersions.status} = 'DRAFT' and not exists (
	select 1 from ${packageVersions} as latest where latest.package_id = ${packageVersions.packageId} and latest.is_latest = 1)))`;

const listOfVersions = (field: string, type: string, kind: PackageKind, own: List["fields"]): List => ({
	field,
	type,
	scope: "CATALOG:READ",
	source: sql`${packageVersions} inner join ${packages} on ${packages.id} = ${packageVersions.packageId}`,
	id: packageVersions.id,
	within: ({ actor }) =>
		and(eq(packageVersions.environmentId, actor.environmentId), eq(packages.kind, kind)) ?? sql`false`,
	shown: () => shownVersion,
	fields: {
		id: text(packageVersions.id),
		refId: text(packages.refId),
		displayName: text(packageVersions.displayName),
		description: text(packageVersions.description),
		status: choice("PackageStatus", packageVersions.status),
		pricingType: choice("PricingType", packageVersions.pricingType),
		billingId: text(packageVersions.billingId),
		versionNumber: numeric(packageVersions.versionNumber),
		isLatest: flag(packageVersions.isLatest),
		productId: textThrough(products.refId, {
			own: packages.productId,
			theirs: products.id,
			environment: products.environmentId,
		}),
		createdAt: date(packages.createdAt),
		updatedAt: date(packageVersions.updatedAt),
		environmentId: text(packageVersions.environmentId),
		...own,
	},
	rows: versionsByIds,
});

/** Plans and addons: what they share makes up most of them. */
export const packagesGraphql: GraphqlArea = {
	typeDefs,
	types: { Plan: plan, Addon: addon, Price: price, PackageEntitlement: entitlement },
	lists: [
		listOfVersions("plans", "Plan", "PLAN", {}),
		listOfVersions("addons", "Addon", "ADDON", { maxQuantity: numeric(packageVersions.maxQuantity) }),
	],
};
