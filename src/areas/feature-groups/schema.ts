import { type Static, Type } from "@sinclair/typebox";
import { Description, DisplayName, Metadata, nullable, RefId } from "../../kernel/schema";

/** Our choice (docs/interface/catalogue.md#limits): as many features as one request grants to a customer. */
const featuresMax = 200;

const FeatureIds = Type.Array(RefId, { minItems: 1, maxItems: featuresMax, uniqueItems: true });

export const FeatureGroupCreate = Type.Object(
	{
		id: RefId,
		displayName: DisplayName,
		description: Type.Optional(nullable(Description)),
		featureIds: FeatureIds,
		metadata: Type.Optional(Metadata),
	},
	{ additionalProperties: false },
);
export type FeatureGroupCreate = Static<typeof FeatureGroupCreate>;

export const FeatureGroupUpdate = Type.Object(
	{
		displayName: Type.Optional(DisplayName),
		description: Type.Optional(nullable(Description)),
		featureIds: Type.Optional(FeatureIds),
		metadata: Type.Optional(Metadata),
	},
	{ additionalProperties: false },
);
export type FeatureGroupUpdate = Static<typeof FeatureGroupUpdate>;
