import { operation } from "../../openapi/operation";

const path = { id: ["The feature's id", "feature-api-calls"] } as const;

export const featureOperations = {
	list: operation({
		operationId: "features.listFeatures",
		summary: "List features",
		query: {
			id: "Only the feature with this id",
			featureType: "Only features of these types",
			meterType: "Only features that are metered so",
			status: "Only features in these states",
		},
	}),
	create: operation({
		operationId: "features.createFeature",
		summary: "Create a feature",
		description:
			"BOOLEAN is on or off, NUMBER has a limit, ENUM grants some of a list of values. A NUMBER is metered by events (INCREMENTAL), as a level that goes up and down (FLUCTUATING), or not at all.",
		example: { id: "feature-exports", displayName: "Exports", featureType: "NUMBER", meterType: "INCREMENTAL" },
		refusals: ["DuplicatedEntityNotAllowed"],
	}),
	retrieve: operation({
		operationId: "features.retrieveFeature",
		summary: "Show a feature",
		path,
		refusals: ["FeatureNotFound"],
	}),
	update: operation({
		operationId: "features.updateFeature",
		summary: "Change a feature, or set its meter",
		description:
			"What is left out stays. `meter` says which usage events count (groups of conditions: all of one group must hold) and how they are added up. The type never changes.",
		path,
		example: { displayName: "API calls", featureUnits: "call", featureUnitsPlural: "calls" },
		refusals: ["FeatureNotFound", "MeteringNotAvailableForFeatureType", "CannotUpdateMeterOfFeatureInUse"],
	}),
	retrieveMeter: operation({
		operationId: "features.retrieveMeter",
		summary: "Show the meter of a feature",
		path,
		refusals: ["FeatureNotFound"],
		uncoded: { 404: "The feature has no meter." },
	}),
	archive: operation({
		operationId: "features.archiveFeature",
		summary: "Archive a feature that nothing uses",
		path: { id: ["The feature's id", "feature-beta"] },
		refusals: ["FeatureNotFound", "CannotArchiveFeatureError"],
	}),
	unarchive: operation({
		operationId: "features.unarchiveFeature",
		summary: "Take a feature out of the archive",
		path: { id: ["The feature's id", "feature-retired"] },
		refusals: ["FeatureNotFound"],
	}),
};
