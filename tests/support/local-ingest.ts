import { EventLog } from "../../src/areas/usage/log/event-log";
import {
	type EventIngest,
	type IngestRequest,
	type IngestResult,
	retryAfterSeconds,
} from "../../src/areas/usage/schema.ingest";
import { closeAtEndOfFile } from "./folders";

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

/** The event log of a folder without its thread, opened when the first event comes. */
export function ingestIn(folder: string, onGrown: () => void = () => {}): EventIngest {
	let ingest: EventIngest | undefined;
	const open = () => {
		const log = new EventLog({
			folder,
			onTrouble: (error) => {
				throw error;
			},
		});
		closeAtEndOfFile(log);
		return new LocalIngest(log, onGrown);
	};
	return {
		send: (request) => {
			ingest ??= open();
			return ingest.send(request);
		},
	};
}
