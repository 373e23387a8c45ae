import { segmentationId } from "../../pricing/models/segment";
import {
	compileField,
	compileFilters,
	type DimensionValue,
	type EventFacts,
	filtersByName,
	type MeterDefinition,
} from "../rules";
import { type CompiledSegments, compileSegments } from "../rules.segments";
import { type Aggregation, aggregationOf } from "./functions";

/** A meter, ready to count events. */
export interface CompiledMeter extends Aggregation {
	/** The dimension that holds its values; undefined for a meter that only counts. */
	readonly field: string | undefined;
	/** The value is calculated from several dimensions. */
	readonly isComputed: boolean;
	/** Whether the name of an event alone decides if the meter counts it. */
	readonly filtersByName: boolean;
	readonly takes: (event: EventFacts) => boolean;
	readonly fieldOf: (event: EventFacts) => DimensionValue | undefined;
	/** Present if the events of each segment count by themselves. */
	readonly segments?: CompiledSegments;
}

export const compileMeter = (definition: MeterDefinition): CompiledMeter => ({
	...aggregationOf(definition),
	field: definition.aggregation.field,
	isComputed: definition.transactionPrice?.formula !== undefined,
	filtersByName: filtersByName(definition.filters),
	takes: compileFilters(definition.filters),
	fieldOf: compileField(definition),
	...(definition.segments && { segments: compileSegments(definition.segments, segmentationId(definition.segments)) }),
});

/** A canceled event has changed a total twice, by its arrival and its cancellation, and adds nothing to it. */
export const changesOfCanceled = 2;
