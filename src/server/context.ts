import { Watching } from "../areas/entitlements/stream/operations";
import { EventIds } from "../areas/usage/events/rules.event-ids";
import { EventIntake } from "../areas/usage/ingest/operations";
import type { EventIngest } from "../areas/usage/schema.ingest";
import { Disk } from "../folder/disk";
import { folderSecret } from "../folder/secret";
import { PersistedOperations } from "../graphql/request/persisted";
import { type ApiSettings, apiSettingsDefault } from "../http/api-settings";
import { Authenticator } from "../http/authentication/authenticator";
import { Bodies } from "../http/body";
import { Senders } from "../http/client-address";
import { AnswerCache } from "../http/fast-path/answer-cache";
import { AddressLimit, EntityLimits } from "../http/limits/limits";
import type { Log } from "../http/log";
import { OpenStreams } from "../http/responses/streams";
import { UnreadAnswers } from "../http/responses/unread";
import type { AddressRange } from "../kernel/addresses";
import type { Transactions } from "../kernel/work";
import { type TimeSlices, timeSlices } from "../tasks/time-slices";
import type { Write } from "./writer-calls";

export interface Outgoing {
	/** What signing secrets derive from. */
	readonly folderSecret: string;
	/** Whether webhooks may go to private and loopback addresses. */
	readonly allowPrivateWebhooks: boolean;
}

/** What the routes need of the running service. Made once, by `main.ts` (serve) or by a test's world. */
export interface Services {
	readonly transactions: Transactions;
	/** How a call that takes long shares the thread that writes with the others. */
	readonly turns: TimeSlices;
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
	readonly unread: UnreadAnswers;
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

/** What is this thread's own of what the routes need. */
export interface OwnOfThread {
	readonly folder: string;
	readonly transactions: Transactions;
	/** Left out where nobody else waits for the thread. */
	readonly turns?: TimeSlices;
	readonly write: Write;
	readonly events: EventIngest;
	readonly log: Log;
	readonly stopping: AbortSignal;
	readonly trustedProxies?: readonly AddressRange[];
	readonly bodyBytesMax?: number;
	readonly notReady?: () => readonly string[];
	readonly api?: ApiSettings;
	/** Where all threads count who reads the edge. */
	readonly edgeCalls?: SharedArrayBuffer | undefined;
}

/** What the routes need, on one thread. */
export function makeServices(own: OwnOfThread): Services {
	const {
		folder,
		transactions,
		write,
		events,
		log,
		stopping,
		trustedProxies = [],
		notReady = () => [],
		api = apiSettingsDefault,
		bodyBytesMax,
	} = own;
	const secret = folderSecret(folder);
	const authenticator = new Authenticator({ transactions, folderSecret: secret, sessions: api.sessions });
	return {
		transactions,
		turns: own.turns ?? timeSlices({ committed: () => transactions.committed() }),
		write,
		authenticator,
		answers: new AnswerCache({ transactions, authenticator, log }),
		limits: new EntityLimits(),
		edgeLimit: new AddressLimit(api.edgeCallsPerSecondMax, own.edgeCalls),
		api,
		persisted: new PersistedOperations(api.operations),
		bodies: new Bodies(bodyBytesMax === undefined ? {} : { totalBytesMax: bodyBytesMax }),
		senders: new Senders(trustedProxies),
		streams: new OpenStreams(),
		unread: new UnreadAnswers(),
		watching: new Watching(transactions, log),
		disk: new Disk({ folder }),
		events,
		intake: new EventIntake({ transactions, events }),
		eventIds: new EventIds(secret),
		outgoing: { folderSecret: secret, allowPrivateWebhooks: api.allowPrivateWebhooks },
		log,
		stopping,
		notReady,
	};
}
