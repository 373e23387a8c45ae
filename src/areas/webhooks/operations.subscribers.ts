import type { Work } from "../../kernel/work";
import type { EventType } from "../outbox/event-types";
import { activeHere, selectActive } from "./store";

// Some events are written only if an endpoint subscribes to them by name or by threshold.

/** Whether an endpoint of the environment names the type. Endpoints without a list of types do not count. */
export const hasSubscriber = (work: Work, type: EventType): boolean =>
	activeHere(work).some(({ eventTypes }) => eventTypes.includes(type));

/** Returns the usage percentages that endpoints of the environment subscribe to, without duplicates. */
export const subscribedThresholds = (work: Work): number[] => [
	...new Set(activeHere(work).flatMap(({ configuration }) => thresholdsOf(configuration))),
];

/** Returns the environments that have such percentages. */
export const environmentsWithThresholds = (work: Work): string[] =>
	selectActive(work).flatMap(({ environmentId, configuration }) =>
		thresholdsOf(configuration).length > 0 ? [environmentId] : [],
	);

export const hasSubscriberAnywhere = (work: Work, type: EventType): boolean =>
	selectActive(work).some(({ eventTypes }) => eventTypes.includes(type));

const thresholdsOf = (configuration: ReturnType<typeof activeHere>[number]["configuration"]): readonly number[] =>
	configuration["entitlement.usage_exceeded"]?.thresholds ?? [];
