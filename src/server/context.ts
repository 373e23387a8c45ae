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
import { AnswerCache, type AnswerCacheOptions } from "../http/fast-path/answer-cache";
import { AddressLimit, EntityLimits } from "../http/limits/limits";
import type { Log } from "../http/log";
import { OpenStreams } from "../http/responses/streams";
import { UnreadAnswers } from "../http/responses/unread";
import type { AddressRange } from "../kernel/addresses";
import { Meter } from "../kernel/metrics/meter";
import type { Transactions } from "../kernel/work";
import { type TimeSlices, timeSlices } from "../tasks/time-slices";
import type { Write } from "./writer-calls";

export interface Outgoing {
	/** The secret from which signing secrets are derived. */
	readonly folderSecret: string;
	/** Whether webhooks may go to private and loopback addresses. */
	readonly allowPrivateWebhooks: boolean;
	/** The public address in the links of mails; null if Tollgate sends no mail. */
	readonly mailOrigin: string | null;
}

/** Returns the public address in the links of mails. */
export const mailOriginOf = ({ mail, publicUrl }: ApiSettings): string | null => (mail && publicUrl) ?? null;

/** The services that routes use. Each HTTP thread, the writer and a test's world make them once. */
export interface Services {
	readonly transactions: Transactions;
	/** Lets a long call share the writer with other calls. */
	readonly turns: TimeSlices;
	/** Writes from routes that otherwise only read: on HTTP threads, `transactions` do not write. */
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
	/** Follows entitlements for all subscribers to their changes. */
	readonly watching: Watching;
	readonly disk: Disk;
	readonly events: EventIngest;
	readonly intake: EventIntake;
	readonly eventIds: EventIds;
	/** The settings for calls to webhook endpoints. */
	readonly outgoing: Outgoing;
	readonly log: Log;
	/** Counts what this thread does. */
	readonly meter: Meter;
	/** Aborted when the server is about to stop: long calls end early. */
	readonly stopping: AbortSignal;
	/** Returns the names of the parts that are not up, for `/readyz`. */
	readonly notReady: () => readonly string[];
}

/** The services of a single thread. */
export interface OwnOfThread {
	readonly folder: string;
	readonly transactions: Transactions;
	/** Omitted on threads that no other caller waits for. */
	readonly turns?: TimeSlices;
	readonly write: Write;
	readonly events: EventIngest;
	readonly log: Log;
	/** Omitted if no metrics are served. */
	readonly meter?: Meter | undefined;
	/** Returns the times of successful requests to the route of a URL. */
	readonly timesOf?: AnswerCacheOptions["timesOf"];
	readonly stopping: AbortSignal;
	readonly trustedProxies?: readonly AddressRange[];
	readonly bodyBytesMax?: number;
	readonly notReady?: () => readonly string[];
	readonly api?: ApiSettings;
	/** Shared memory for the call limit of the edge. */
	readonly edgeCalls?: SharedArrayBuffer | undefined;
}

/** Makes the services of one thread. */
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
		answers: new AnswerCache({ transactions, authenticator, log, timesOf: own.timesOf }),
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
		outgoing: {
			...{ folderSecret: secret, allowPrivateWebhooks: api.allowPrivateWebhooks },
			mailOrigin: mailOriginOf(api),
		},
		log,
		meter: own.meter ?? new Meter(),
		stopping,
		notReady,
	};
}
