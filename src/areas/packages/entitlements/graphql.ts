import { fieldsOf, type GraphqlArea, unionOf } from "../../../graphql/area";
import { NoBody, operation } from "../../../graphql/input/operation";
import { resetConfigurationOf } from "../../../graphql/input/value-formats";
import type { OperationContext } from "../../../graphql/request/context";
import { toWireOrNull } from "../../../kernel/decimal";
import { currenciesByIds } from "../../currencies/operations";
import { featuresByIds } from "../../features/operations";
import type { PackageKind } from "../schema";
import type { PackageEntitlementRow } from "../table";
import { createEntitlements, removeEntitlement, updateEntitlement } from "./operations";
import { PackageEntitlementsCreate, PackageEntitlementUpdate } from "./schema";

const shownFields = `
	id: ID!
	type: PackageEntitlementType!
	description: String
	displayNameOverride: String
	hasSoftLimit: Boolean
	isGranted: Boolean!
	isCustom: Boolean
	order: Float
	hiddenFromWidgets: [WidgetType!]
	behavior: EntitlementBehavior!
	createdAt: DateTime!
	updatedAt: DateTime!
`;

/** What both kinds take, and what each takes alone: \`type\` tells which of them may be sent. */
const inputFields = `
	description: String
	displayNameOverride: String
	hiddenFromWidgets: [WidgetType!]
	isCustom: Boolean
	isGranted: Boolean
	order: Float
	behavior: EntitlementBehavior
	hasSoftLimit: Boolean
	usageLimit: Float
	hasUnlimitedUsage: Boolean
	enumValues: [String!]
	resetPeriod: EntitlementResetPeriod
	yearlyResetPeriodConfiguration: YearlyResetPeriodConfigInput
	monthlyResetPeriodConfiguration: MonthlyResetPeriodConfigInput
	weeklyResetPeriodConfiguration: WeeklyResetPeriodConfigInput
	amount: Float
	cadence: CreditCadence
	dependencyFeatureId: String
`;

const typeDefs = `
	enum WidgetType { PAYWALL CUSTOMER_PORTAL CHECKOUT }
	enum EntitlementResetPeriod { YEAR MONTH WEEK DAY HOUR }
	enum EntitlementBehavior { Increment Override }
	enum CreditCadence { MONTH YEAR }
	enum PackageType { PLAN ADDON }
	enum PackageEntitlementType { FEATURE CREDIT }
	type PackageEntitlement {
		${shownFields}
		"The caller's id of the feature."
		featureId: String!
		feature: Feature!
		usageLimit: Float
		hasUnlimitedUsage: Boolean
		enumValues: [String!]
		resetPeriod: EntitlementResetPeriod
		resetPeriodConfiguration: ResetPeriodConfiguration
	}
	type PackageCreditEntitlement {
		${shownFields}
		"The caller's id of the currency."
		currencyId: String!
		currency: CustomCurrency!
		"Credits for each cadence; null leaves the amount open."
		amount: Float
		cadence: CreditCadence
		"The caller's id of the feature by whose limit the amount is multiplied."
		dependencyFeatureId: String
	}
	union PackageEntitlementItem = PackageEntitlement | PackageCreditEntitlement
	enum YearlyAccordingTo { SubscriptionStart }
	enum MonthlyAccordingTo { SubscriptionStart StartOfTheMonth }
	enum WeeklyAccordingTo {
		SubscriptionStart EverySunday EveryMonday EveryTuesday EveryWednesday EveryThursday EveryFriday EverySaturday
	}
	input YearlyResetPeriodConfigInput { accordingTo: YearlyAccordingTo }
	input MonthlyResetPeriodConfigInput { accordingTo: MonthlyAccordingTo }
	input WeeklyResetPeriodConfigInput { accordingTo: WeeklyAccordingTo }
	"refId is the caller's id of the feature or of the currency. A CREDIT needs an amount, which may be null, and a cadence."
	input PackageEntitlementInput { type: PackageEntitlementType! refId: String! ${inputFields} }
	"All or nothing, on the draft. packageId is the caller's id of the plan or the addon."
	input CreatePackageEntitlementsInput {
		packageType: PackageType!
		packageId: String!
		entitlements: [PackageEntitlementInput!]!
	}
	"What is left out stays; the type cannot be switched."
	input UpdatePackageEntitlementInput {
		packageType: PackageType!
		packageId: String!
		refId: String!
		type: PackageEntitlementType!
		${inputFields}
	}
	input DeletePackageEntitlementInput { packageType: PackageType! packageId: String! refId: String! }
	extend type Mutation {
		createPackageEntitlements(input: CreatePackageEntitlementsInput!): [PackageEntitlementItem!]
		updatePackageEntitlement(input: UpdatePackageEntitlementInput!): PackageEntitlementItem
		deletePackageEntitlement(input: DeletePackageEntitlementInput!): PackageEntitlementItem
	}
`;

const featureOf = (row: PackageEntitlementRow, context: OperationContext) =>
	context.related(row, ({ featureId }) => featureId, featuresByIds);

const currencyOf = (row: PackageEntitlementRow, context: OperationContext) =>
	context.related(row, ({ currencyId }) => currencyId, currenciesByIds);

const shared = { order: ({ displayOrder }: PackageEntitlementRow) => displayOrder };

const entitlement = fieldsOf<PackageEntitlementRow>({
	fields: {
		...shared,
		featureId: (row, _, context) => featureOf(row, context)?.refId,
		feature: (row, _, context) => featureOf(row, context),
		usageLimit: ({ usageLimit }) => toWireOrNull(usageLimit),
		resetPeriodConfiguration: ({ resetPeriod, resetAnchor }) => resetConfigurationOf(resetPeriod, resetAnchor),
	},
});

const creditEntitlement = fieldsOf<PackageEntitlementRow>({
	fields: {
		...shared,
		currencyId: (row, _, context) => currencyOf(row, context)?.refId,
		currency: (row, _, context) => currencyOf(row, context),
		amount: ({ amount }) => toWireOrNull(amount),
		dependencyFeatureId: (row, _, context) =>
			context.related(row, ({ dependencyFeatureId }) => dependencyFeatureId, featuresByIds)?.refId,
	},
});

/** In REST the plan or the addon is named by the path, with its kind. */
const ofPackage = { packageType: "kind", packageId: "id" } as const;
const ofEntitlement = { ...ofPackage, refId: "entitlementId" } as const;
const kindOf = ({ kind }: { readonly kind: string }): PackageKind => (kind === "ADDON" ? "ADDON" : "PLAN");

const scope = "CATALOG:WRITE";

export const packageEntitlementsGraphql: GraphqlArea = {
	typeDefs,
	types: { PackageEntitlement: entitlement, PackageCreditEntitlement: creditEntitlement },
	unions: {
		PackageEntitlementItem: unionOf<PackageEntitlementRow>(({ type }) =>
			type === "CREDIT" ? "PackageCreditEntitlement" : "PackageEntitlement",
		),
	},
	mutations: {
		createPackageEntitlements: operation({
			scope,
			path: ofPackage,
			body: PackageEntitlementsCreate,
			run: (work, body, path) => createEntitlements(work, kindOf(path), path.id, body),
		}),
		updatePackageEntitlement: operation({
			scope,
			path: ofEntitlement,
			body: PackageEntitlementUpdate,
			run: (work, body, path) => updateEntitlement(work, kindOf(path), path.id, path.entitlementId, body),
		}),
		deletePackageEntitlement: operation({
			scope,
			path: ofEntitlement,
			body: NoBody,
			run: (work, _, path) => removeEntitlement(work, kindOf(path), path.id, path.entitlementId),
		}),
	},
};
