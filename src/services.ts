import type { Watching } from "./areas/entitlements/stream/operations";
import type { EventIds } from "./areas/usage/events/rules.event-ids";
import type { EventIntake } from "./areas/usage/ingest/operations";
import type { EventIngest } from "./areas/usage/ingest/schema";
import type { Disk } from "./folder/disk";
import type { PersistedOperations } from "./graphql/request/persisted";
import type { AnswerCache } from "./http/answer-cache";
import type { ApiSettings } from "./http/api-settings";
import type { Authenticator } from "./http/authenticator";
import type { Bodies } from "./http/body";
import type { Senders } from "./http/client-address";
import type { AddressLimit, EntityLimits } from "./http/limits";
import type { Log } from "./http/log";
import type { OpenStreams } from "./http/streams";
import type { Transactions } from "./kernel/work";
import type { Turns } from "./workers/turns";
import type { Write } from "./writes";

interface Outgoing {
	/** What signing secrets derive from. */
	readonly folderSecret: string;
	/** Whether webhooks may go to private and loopback addresses. */
	readonly allowPrivateWebhooks: boolean;
}

/** What the routes need of the running service. Made once, by `main.ts` (serve) or by a test's world. */
export interface Services {
	readonly transactions: Transactions;
	/** How a call that takes long shares the thread that writes with the others. */
	readonly turns: Turns;
	/** For what a route writes that else only reads: on the threads that serve, `transactions` do not write. */
	readonly write: Write;
	readonly authenticator: Authenticator;
	readonly answers: AnswerCache;
	readonly limits: EntityLimits;
	readonly edgeLimit: AddressLimit;
	readonly api: ApiSettings;
	readonly persisted: PersistedOperations;
	readonly bodies: Bodies;
	readonly senders: Senders;
	readonly streams: OpenStreams;
	/** Follows entitlements, for all who are told of their changes. */
	readonly watching: Watching;
	readonly disk: Disk;
	readonly events: EventIngest;
	readonly intake: EventIntake;
	readonly eventIds: EventIds;
	/** What is sent to those outside, and where to. */
	readonly outgoing: Outgoing;
	readonly log: Log;
	/** Aborted when the server is about to stop: what takes long ends where it is. */
	readonly stopping: AbortSignal;
	/** What `/readyz` asks: the names of the parts that are not up. */
	readonly notReady: () => readonly string[];
}
