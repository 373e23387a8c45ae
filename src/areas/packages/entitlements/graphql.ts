import { Type } from "@sinclair/typebox";
import { fieldsOf, type GraphqlArea, unionOf } from "../../../graphql/area";
import { NoBody, operation } from "../../../graphql/input/operation";
import { resetConfigurationOf } from "../../../graphql/input/value-formats";
import type { OperationContext } from "../../../graphql/request/context";
import { currenciesByIds } from "../../currencies/operations";
import { featuresByIds } from "../../features/operations";
import {
	CreditCadence,
	EntitlementBehavior,
	type PackageKind,
	ResetPeriod,
	resetConfigurations,
	WidgetType,
} from "../schema";
import type { PackageEntitlementRow } from "../table";
import { createEntitlements, removeEntitlement, updateEntitlement } from "./operations";
import { PackageEntitlementsCreate, PackageEntitlementUpdate } from "./schema";

const shownFields = `
	id: ID! type: PackageEntitlementType! description: String displayNameOverride: String hasSoftLimit: Boolean
	isGranted: Boolean! isCustom: Boolean order: Float hiddenFromWidgets: [WidgetType!] behavior: EntitlementBehavior!
	createdAt: DateTime! updatedAt: DateTime!
`;

/** The fields of both kinds and of each kind. `type` decides which of them may be sent. */
const inputFields = `
	description: String displayNameOverride: String hiddenFromWidgets: [WidgetType!] isCustom: Boolean isGranted: Boolean
	order: Float behavior: EntitlementBehavior hasSoftLimit: Boolean usageLimit: Float hasUnlimitedUsage: Boolean
	enumValues: [String!] resetPeriod: EntitlementResetPeriod
	yearlyResetPeriodConfiguration: YearlyResetPeriodConfigInput
	monthlyResetPeriodConfiguration: MonthlyResetPeriodConfigInput
	weeklyResetPeriodConfiguration: WeeklyResetPeriodConfigInput
	amount: Float cadence: CreditCadence dependencyFeatureId: String
`;

const schemas = {
	WidgetType,
	ResetPeriod,
	EntitlementBehavior,
	CreditCadence,
	Resets: Type.Object(resetConfigurations),
};

const typeDefs = `
	enum WidgetType from WidgetType
	enum EntitlementResetPeriod from ResetPeriod
	enum EntitlementBehavior from EntitlementBehavior
	enum CreditCadence from CreditCadence
	enum PackageType { PLAN ADDON }
	enum PackageEntitlementType { FEATURE CREDIT }
	type PackageEntitlement {
		${shownFields}
		"The caller's id of the feature."
		featureId: String!
		feature: Feature! usageLimit: Float hasUnlimitedUsage: Boolean enumValues: [String!]
		resetPeriod: EntitlementResetPeriod resetPeriodConfiguration: ResetPeriodConfiguration
	}
	type PackageCreditEntitlement {
		${shownFields}
		"The caller's id of the currency."
		currencyId: String!
		currency: CustomCurrency!
		"Credits for each cadence. Null leaves the amount open."
		amount: Float
		cadence: CreditCadence
		"The caller's id of the feature whose limit multiplies the amount."
		dependencyFeatureId: String
	}
	union PackageEntitlementItem = PackageEntitlement | PackageCreditEntitlement
	enum YearlyAccordingTo from Resets.yearlyResetPeriodConfiguration.accordingTo
	enum MonthlyAccordingTo from Resets.monthlyResetPeriodConfiguration.accordingTo
	enum WeeklyAccordingTo from Resets.weeklyResetPeriodConfiguration.accordingTo
	input YearlyResetPeriodConfigInput from Resets.yearlyResetPeriodConfiguration
	input MonthlyResetPeriodConfigInput from Resets.monthlyResetPeriodConfiguration
	input WeeklyResetPeriodConfigInput from Resets.weeklyResetPeriodConfiguration
	"refId is the caller's id of the feature or of the currency. A CREDIT needs a cadence and an amount, which may be null."
	input PackageEntitlementInput { type: PackageEntitlementType! refId: String! ${inputFields} }
	"Changes the draft: all entitlements, or none. packageId is the caller's id of the plan or the addon."
	input CreatePackageEntitlementsInput {
		packageType: PackageType! packageId: String! entitlements: [PackageEntitlementInput!]!
	}
	"Omitted members stay. The type cannot change."
	input UpdatePackageEntitlementInput {
		packageType: PackageType! packageId: String! refId: String! type: PackageEntitlementType! ${inputFields}
	}
	input DeletePackageEntitlementInput { packageType: PackageType! packageId: String! refId: String! }
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
		resetPeriodConfiguration: ({ resetPeriod, resetAnchor }) => resetConfigurationOf(resetPeriod, resetAnchor),
	},
});

const creditEntitlement = fieldsOf<PackageEntitlementRow>({
	fields: {
		...shared,
		currencyId: (row, _, context) => currencyOf(row, context)?.refId,
		currency: (row, _, context) => currencyOf(row, context),
		dependencyFeatureId: (row, _, context) =>
			context.related(row, ({ dependencyFeatureId }) => dependencyFeatureId, featuresByIds)?.refId,
	},
});

/** In REST the path names the plan or the addon, and its kind. */
const ofPackage = { packageType: "kind", packageId: "id" } as const;
const ofEntitlement = { ...ofPackage, refId: "entitlementId" } as const;
const kindOf = ({ kind }: { readonly kind: string }): PackageKind => (kind === "ADDON" ? "ADDON" : "PLAN");

const scope = "CATALOG:WRITE";

export const packageEntitlementsGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: { PackageEntitlement: entitlement, PackageCreditEntitlement: creditEntitlement },
	unions: {
		PackageEntitlementItem: unionOf<PackageEntitlementRow>(({ type }) =>
			type === "CREDIT" ? "PackageCreditEntitlement" : "PackageEntitlement",
		),
	},
	mutations: {
		createPackageEntitlements: operation({
			signature: "(input: CreatePackageEntitlementsInput!): [PackageEntitlementItem!]",
			...{ scope, path: ofPackage, body: PackageEntitlementsCreate },
			run: (work, body, path) => createEntitlements(work, kindOf(path), path.id, body),
		}),
		updatePackageEntitlement: operation({
			signature: "(input: UpdatePackageEntitlementInput!): PackageEntitlementItem",
			...{ scope, path: ofEntitlement, body: PackageEntitlementUpdate },
			run: (work, body, path) => updateEntitlement(work, kindOf(path), path.id, path.entitlementId, body),
		}),
		deletePackageEntitlement: operation({
			signature: "(input: DeletePackageEntitlementInput!): PackageEntitlementItem",
			...{ scope, path: ofEntitlement, body: NoBody },
			run: (work, _, path) => removeEntitlement(work, kindOf(path), path.id, path.entitlementId),
		}),
	},
};
