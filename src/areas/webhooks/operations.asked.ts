import type { Work } from "../../kernel/work";
import type { EventType } from "../outbox/event-types";
import { activeHere, selectActive } from "./store";

// What is told only where somebody asks for it, or as often as somebody asks.

/** Whether an endpoint of the work's environment names the type: those that are told of everything do not. */
export const hasSubscriber = (work: Work, type: EventType): boolean =>
	activeHere(work).some(({ eventTypes }) => eventTypes.includes(type));

/** The percentages of a limit that endpoints of the work's environment want to be told of, each once. */
export const thresholdsAskedFor = (work: Work): number[] => [
	...new Set(activeHere(work).flatMap(({ configuration }) => thresholdsOf(configuration))),
];

/** In which environments there are any such percentages. */
export const environmentsWithThresholds = (work: Work): string[] =>
	selectActive(work).flatMap(({ environmentId, configuration }) =>
		thresholdsOf(configuration).length > 0 ? [environmentId] : [],
	);

export const isAskedForAnywhere = (work: Work, type: EventType): boolean =>
	selectActive(work).some(({ eventTypes }) => eventTypes.includes(type));

const thresholdsOf = (configuration: ReturnType<typeof activeHere>[number]["configuration"]): readonly number[] =>
	configuration["entitlement.usage_exceeded"]?.thresholds ?? [];
