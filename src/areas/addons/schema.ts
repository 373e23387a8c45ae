import { type Static, Type } from "@sinclair/typebox";
import { Description, DisplayName, Metadata, nullable, RefId } from "../../kernel/schema";
import { PackageCharges, unitQuantityMax } from "../packages/charges/schema";
import { PackageRefs, PackageStatus, PricingType, versionFields } from "../packages/schema";

const BillingId = Type.String({ maxLength: 255 });

/** How many one subscription may hold, at least one (docs/interface/catalogue.md). */
const MaxQuantity = Type.Integer({ minimum: 1, maximum: unitQuantityMax });

export const AddonCreate = Type.Object(
	{
		id: RefId,
		displayName: DisplayName,
		productId: RefId,
		billingId: Type.Optional(nullable(BillingId)),
		description: Type.Optional(nullable(Description)),
		maxQuantity: Type.Optional(nullable(MaxQuantity)),
		metadata: Type.Optional(Metadata),
		pricingType: Type.Optional(nullable(PricingType)),
		status: Type.Optional(PackageStatus),
	},
	{ additionalProperties: false },
);
export type AddonCreate = Static<typeof AddonCreate>;

export const AddonUpdate = Type.Object(
	{
		billingId: Type.Optional(nullable(BillingId)),
		charges: Type.Optional(PackageCharges),
		dependencies: Type.Optional(nullable(PackageRefs)),
		description: Type.Optional(nullable(Description)),
		displayName: Type.Optional(DisplayName),
		maxQuantity: Type.Optional(nullable(MaxQuantity)),
		metadata: Type.Optional(Metadata),
		status: Type.Optional(PackageStatus),
	},
	{ additionalProperties: false },
);
export type AddonUpdate = Static<typeof AddonUpdate>;

export const Addon = Type.Object(
	versionFields({
		dependencies: nullable(Type.Array(Type.String())),
		maxQuantity: nullable(Type.Integer()),
	}),
	{ $id: "Addon" },
);
export type Addon = Static<typeof Addon>;
