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

/** The empty value is how callers send null (docs/interface/http.md): no resource. */
const ResourceQuery = Type.Optional(Type.String({ maxLength: 255 }));

/** Ours: each answer with why, in words and as data. */
const ExplainQuery = Type.Optional(literals("true", "false"));

export const EntitlementsQuery = Type.Object(
	{ resourceId: ResourceQuery, explain: ExplainQuery },
	{ additionalProperties: false },
);
export type EntitlementsQuery = Static<typeof EntitlementsQuery>;

/** Our choice: no feature has more values than this to ask for. */
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

/**
 * As it is sent: `dimensions[team]=red`. It stands here for the document; without governance there is nobody whose budget it
 * could ask for (operations.beta.ts refuses it).
 */
const Dimensions = Type.Optional(
	Type.Unsafe<unknown>({
		...Type.Record(Type.String({ maxLength: 255 }), Type.String({ maxLength: 255 })),
		[Kind]: "Any",
		style: "deepObject",
		explode: true,
	}),
);

/** Keys in brackets are names of their own in a query: what is none of ours is looked at by the operation. */
export const EntitlementBetaCheckQuery = Type.Object(
	{ ...checked, dimensions: Dimensions },
	{ additionalProperties: Type.String({ maxLength: 255 }) },
);
export type EntitlementBetaCheckQuery = Static<typeof EntitlementBetaCheckQuery>;
