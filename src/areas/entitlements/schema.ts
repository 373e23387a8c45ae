import { Kind, type Static, Type } from "@sinclair/typebox";
import { queryNumber, queryTexts } from "../../kernel/query";
import { CustomerRefId, literals, nullable } from "../../kernel/schema";
import { EffectiveEntitlement } from "../entitlement-sources/schema";

export const EntitlementsAnswer = Type.Object({
	accessDeniedReason: nullable(literals("CustomerNotFound", "NoActiveSubscription", "CustomerIsArchived")),
	entitlements: Type.Array(EffectiveEntitlement),
});
export type EntitlementsAnswer = Static<typeof EntitlementsAnswer>;

export const EntitlementsPath = Type.Object({ id: CustomerRefId });

/** An empty value means null (docs/interface/http.md): no resource. */
const ResourceQuery = Type.Optional(Type.String({ maxLength: 255 }));

/** An addition to the reference interface: explains each answer, as text and as data. */
const ExplainQuery = Type.Optional(literals("true", "false"));

export const EntitlementsQuery = Type.Object(
	{ resourceId: ResourceQuery, explain: ExplainQuery },
	{ additionalProperties: false },
);
export type EntitlementsQuery = Static<typeof EntitlementsQuery>;

/** No feature has more values. */
const requestedValuesMax = 200;

const checked = {
	featureId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
	currencyId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
	resourceId: ResourceQuery,
	requestedUsage: Type.Optional(queryNumber()),
	requestedValues: Type.Optional(queryTexts(requestedValuesMax, 255)),
};

export const checkedKeys: ReadonlySet<string> = new Set(Object.keys(checked));

export const EntitlementCheckQuery = Type.Object(
	{ ...checked, explain: ExplainQuery },
	{ additionalProperties: false },
);
export type EntitlementCheckQuery = Static<typeof EntitlementCheckQuery>;

/** Sent as `dimensions[team]=red`. Only for the OpenAPI document: `operations.beta.ts` refuses it. */
const Dimensions = Type.Optional(
	Type.Unsafe<unknown>({
		...Type.Record(Type.String({ maxLength: 255 }), Type.String({ maxLength: 255 })),
		[Kind]: "Any",
		style: "deepObject",
		explode: true,
	}),
);

/** Bracketed keys arrive as additional properties. The operation refuses unknown ones. */
export const EntitlementBetaCheckQuery = Type.Object(
	{ ...checked, dimensions: Dimensions },
	{ additionalProperties: Type.String({ maxLength: 255 }) },
);
export type EntitlementBetaCheckQuery = Static<typeof EntitlementBetaCheckQuery>;
