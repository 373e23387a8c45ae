import type { EventLog } from "../../src/areas/usage/log/event-log";
import {
	type EventIngest,
	type IngestRequest,
	type IngestResult,
	retryAfterSeconds,
} from "../../src/areas/usage/schema.ingest";

/** The event log behind the same interface, in the caller's own thread: each request is a group of its own. */
export class LocalIngest implements EventIngest {
	constructor(
		private readonly log: EventLog,
		private readonly onGrown: () => void,
	) {}

	async send(request: IngestRequest): Promise<IngestResult> {
		const before = this.log.lastEvent;
		const [result] = this.log.ingest([request]);
		this.log.tidy(this.log.lastEvent - before);
		if (this.log.lastEvent > before) this.onGrown();
		return result ?? { kind: "unavailable", message: "The log gave no answer.", retryAfterSeconds };
	}
}
