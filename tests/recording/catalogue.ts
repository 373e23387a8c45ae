interface Charge {
	readonly billingModel: string;
	readonly featureId?: string;
	readonly pricePeriods: ReadonlyArray<{ readonly billingPeriod: string; readonly billingCountryCode?: string }>;
}

export interface Package {
	readonly id: string;
	readonly productId: string;
	readonly compatibleAddonIds?: readonly string[];
	readonly dependencies?: readonly string[];
	readonly parentPlanId?: string;
	readonly charges?: { readonly pricingType: string; readonly pricingModels?: readonly Charge[] };
	readonly entitlements?: ReadonlyArray<{ readonly type: string; readonly id: string }>;
}

interface Feature {
	readonly id: string;
	readonly featureType: string;
	readonly meterType?: string;
	readonly meter?: {
		readonly aggregation: { readonly function: string; readonly field?: string };
		readonly filters: ReadonlyArray<{
			readonly conditions: ReadonlyArray<{ readonly field: string; readonly value?: string }>;
		}>;
	};
}

/** The parts of a catalogue that customers of the recording use. */
export interface Catalogue {
	readonly products: ReadonlyArray<{ readonly id: string; readonly multipleSubscriptions?: boolean }>;
	readonly currencies?: ReadonlyArray<{ readonly id: string }>;
	readonly features: readonly Feature[];
	readonly addons?: readonly Package[];
	readonly plans: readonly Package[];
	readonly coupons?: ReadonlyArray<{ readonly id: string }>;
}
