import { Database as SqliteFile } from "bun:sqlite";
import { cpSync, mkdtempSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { migrations as deliveries } from "../../drizzle/deliveries";
import { migrations as events } from "../../drizzle/events";
import { migrations as main } from "../../drizzle/main";
import { migrations as renders } from "../../drizzle/renders";
import { migrations as usage } from "../../drizzle/usage";
import { testClocksIn } from "../../src/areas/access/environments/operations.clocks";
import { createKey, type NewKey } from "../../src/areas/access/keys/operations";
import { createEnvironment } from "../../src/areas/access/operations";
import { type Scope, systemActor } from "../../src/areas/access/rules.actors";
import { recordChanges } from "../../src/areas/audit/operations.recording";
import { Watching } from "../../src/areas/entitlements/stream/operations";
import { EventIds } from "../../src/areas/usage/events/rules.event-ids";
import { EventIntake } from "../../src/areas/usage/ingest/operations";
import { usageProgress } from "../../src/areas/usage/operations";
import { Disk } from "../../src/folder/disk";
import { PersistedOperations } from "../../src/graphql/request/persisted";
import { type ApiSettings, apiSettingsDefault } from "../../src/http/api-settings";
import { Authenticator } from "../../src/http/authentication/authenticator";
import { Bodies } from "../../src/http/body";
import { Senders } from "../../src/http/client-address";
import { AnswerCache } from "../../src/http/fast-path/answer-cache";
import { AddressLimit, EntityLimits } from "../../src/http/limits/limits";
import { openLog } from "../../src/http/log";
import { OpenStreams } from "../../src/http/responses/streams";
import { UnreadAnswers } from "../../src/http/responses/unread";
import { type Instant, toIso } from "../../src/kernel/clock";
import { newUuidV7 } from "../../src/kernel/ids";
import { Meter } from "../../src/kernel/metrics/meter";
import { openFile, prepareFiles } from "../../src/kernel/storage/db";
import { openTransactions } from "../../src/kernel/storage/transactions";
import type { WorkerName } from "../../src/kernel/work";
import { mailOriginOf, type Services } from "../../src/server/context";
import { writesBy } from "../../src/server/writer-calls";
import type { JobThread } from "../../src/tasks/job";
import { timeSlices } from "../../src/tasks/time-slices";
import type { TurnedClockView } from "../../src/test-clocks/schema";
import { Counting } from "./counting";
import { closeAtEndOfFile, templateFolder, testsFolder } from "./folders";
import { ingestIn } from "./local-ingest";
import { handleRequest } from "./shared-routes";
import { sharedStatements } from "./shared-statements";

/** The secret of every world's folder, in the form of its file. */
export const folderSecret = "5ec7e7".padEnd(64, "0");

/** Every test's instant, unless it turns the clock: the last day of a month, since that is where calendars go wrong. */
export const testNow = Date.UTC(2026, 0, 31) as Instant;

let template: string | undefined;

const newFolder = (): string => mkdtempSync(join(testsFolder, "world-"));

/** Returns an empty data folder at the newest migration. Migrating takes a moment, so it is done once and copied. */
export function freshFolder(folder = newFolder()): string {
	if (!template) {
		template = templateFolder();
		prepareFiles(template, { main, events, usage, renders, deliveries });
		emptyLogs(template);
	}
	cpSync(template, folder, { recursive: true });
	return folder;
}

/** Writes the log of each file into the file. Otherwise each copy would do that again when it is opened and when it is closed. */
export function emptyLogs(folder: string): void {
	for (const name of readdirSync(folder).filter((name) => name.endsWith(".db"))) {
		const file = new SqliteFile(join(folder, name));
		file.run("PRAGMA wal_checkpoint(TRUNCATE)");
		file.close(true);
	}
}

export interface CallOptions {
	/** An API key of the world; "" sends none. The first environment's full-access key when left out. */
	readonly key?: string;
	/** Sent as JSON; a string is sent as it stands. */
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
	/** Where it comes from; from no network when left out. */
	readonly address?: string;
}

export interface Answer {
	readonly status: number;
	readonly headers: Headers;
	// biome-ignore lint/suspicious/noExplicitAny: a test reads the JSON that came, whatever it is.
	readonly body: any;
}

/** A folder with two environments, and the time of its clock. */
interface Prepared {
	readonly folder: string;
	readonly environments: Readonly<Record<"ours" | "theirs", ReturnType<typeof createEnvironment>>>;
	readonly at: Instant;
}

const preparations = new Map<string, Promise<Prepared>>();

/** Each one takes two megabytes until the process ends. */
const preparationsMax = 100;

/**
 * Returns a world in the state that `prepare` makes. The first call of a process with a name prepares it, and later ones copy its folder:
 * a few calls to a new folder take longer than most tests. The worlds of one name have the same ids and keys.
 */
export async function preparedWorld(
	name: string,
	prepare: (fresh: World) => Promise<unknown>,
	settings: Partial<ApiSettings> = {},
): Promise<World> {
	const known = preparations.get(name);
	if (known) return worldOf(await known, settings);
	if (preparations.size < preparationsMax) {
		const preparation = prepared(prepare);
		preparations.set(name, preparation);
		return worldOf(await preparation, settings);
	}
	const fresh = world(settings);
	await prepare(fresh);
	return fresh;
}

async function prepared(prepare: (fresh: World) => Promise<unknown>): Promise<Prepared> {
	const fresh = world();
	await prepare(fresh);
	return templateOf(fresh);
}

/** Closes a world and makes its state a template. */
function templateOf(ended: World): Prepared {
	ended.db.$client.close();
	const folder = templateFolder();
	cpSync(ended.folder, folder, { recursive: true });
	emptyLogs(folder);
	return { folder, environments: ended.environments, at: ended.clock.at };
}

function worldOf({ folder: template, environments, at }: Prepared, settings: Partial<ApiSettings>): World {
	const folder = newFolder();
	cpSync(template, folder, { recursive: true });
	const ours = openWorld(settings, folder, environments);
	ours.clock.at = at;
	return ours;
}

let empty: Prepared | undefined;

/**
 * A fresh Tollgate in a folder of its own: real SQLite, a clock that stands still until it is turned, and two
 * environments of two accounts. No threads: `woken` tells which would have been woken, and a test runs the job itself.
 * The worlds of a process have the same environments and keys: to create them takes twice as long as to copy and open the folder.
 */
export function world(settings: Partial<ApiSettings> = {}): World {
	empty ??= templateOf(openWorld({}, freshFolder()));
	return worldOf(empty, settings);
}

function openWorld(settings: Partial<ApiSettings>, folder: string, known?: Prepared["environments"]) {
	const db = openFile(folder, "main", ["usage", "renders", "events", "deliveries"]);
	closeAtEndOfFile(db.$client);
	const clock = { at: testNow as Instant, now: () => clock.at };
	const woken: WorkerName[] = [];
	const transactions = openTransactions({
		db,
		clock,
		testClocks: testClocksIn,
		recorder: recordChanges,
		statementBuilder: sharedStatements,
		newId: newUuidV7,
		wake: (worker) => woken.push(worker),
	});
	const environment = (accountName: string) =>
		transactions.write(systemActor(""), (work) =>
			createEnvironment(work, { accountName, environmentName: "main", kind: "SANDBOX" }),
		);
	const environments = known ?? { ours: environment("Ours"), theirs: environment("Theirs") };
	const { ours, theirs } = environments;
	const limitClock = { ms: 0 };
	const stopping = new AbortController();
	const authenticator = new Authenticator({ transactions, folderSecret });
	const log = openLog("silent");
	const turns = timeSlices();
	const events = ingestIn(folder, () => woken.push("aggregator"));
	const services: Services = {
		transactions,
		turns,
		write: writesBy(transactions),
		authenticator,
		answers: new AnswerCache({ transactions, authenticator, log }),
		limits: new EntityLimits(() => limitClock.ms),
		edgeLimit: new AddressLimit(apiSettingsDefault.edgeCallsPerSecondMax, undefined, () => limitClock.ms),
		api: { ...apiSettingsDefault, ...settings },
		persisted: new PersistedOperations(undefined),
		bodies: new Bodies(),
		senders: new Senders([]),
		streams: new OpenStreams(),
		unread: new UnreadAnswers(),
		watching: new Watching(transactions, log),
		disk: new Disk({ folder }),
		events,
		intake: new EventIntake({ transactions, events }),
		eventIds: new EventIds(folderSecret),
		outgoing: {
			...{ folderSecret, allowPrivateWebhooks: true },
			mailOrigin: mailOriginOf({ ...apiSettingsDefault, ...settings }),
		},
		log,
		meter: new Meter(),
		stopping: stopping.signal,
		notReady: () => [],
	};
	const call = async (method: string, path: string, options: CallOptions = {}): Promise<Answer> => {
		const { key = ours.fullAccessKey, body: sent, headers = {} } = options;
		const request = new Request(
			`http://localhost${/^\/(api|graphql|v1)(\/|\?|$)/.test(path) ? path : `/api/v1${path}`}`,
			{
				method,
				headers: {
					...(key === "" ? {} : { "x-api-key": key }),
					...(sent === undefined ? {} : { "content-type": "application/json" }),
					...headers,
				},
				...(sent === undefined ? {} : { body: typeof sent === "string" ? sent : JSON.stringify(sent) }),
			},
		);
		if (options.address !== undefined)
			services.senders.remember(request, { address: options.address, isSecure: false });
		const response = services.answers.find(request) ?? (await handleRequest(services, request));
		const text = await response.text();
		const isJson = response.headers.get("content-type")?.startsWith("application/json");
		const body = text === "" ? undefined : isJson ? JSON.parse(text) : text;
		return { status: response.status, headers: response.headers, body };
	};

	const counting = new Counting({ folder, clock, sqlite: db.$client });
	/** The totals of what was reported, which no thread counts here. */
	const countUsage = (): void => {
		// Most tests send no events. Opening the files takes longer than counting.
		if (transactions.read(systemActor(""), (work) => usageProgress(work).written) > 0) counting.run();
	};

	return {
		call,
		countUsage,
		environments,
		/**
		 * TimeSlices the first environment's clock by its own route: to an instant, or by an ISO 8601 duration. Answers what the
		 * route answers; what fell due on the way has happened.
		 */
		advance: async (to: string | Instant): Promise<TurnedClockView> => {
			countUsage();
			const body = typeof to === "number" ? { now: toIso(to) } : to.startsWith("P") ? { advanceBy: to } : { now: to };
			const answer = await call("POST", "/environments/current/clock", { body });
			if (answer.status !== 200) throw new Error(`The clock was not turned: ${JSON.stringify(answer.body)}`);
			return answer.body.data;
		},
		stopping,
		transactions,
		/** The context of a job of this world. */
		thread: { transactions, turns, isStopping: () => false } satisfies JobThread,
		db,
		folder,
		clock,
		limitClock,
		services,
		woken,
		/** Full-access key of the first environment. */
		key: ours.fullAccessKey,
		publishableKey: ours.publishableKey,
		/** Full-access key of the other account's environment: sees nothing of ours. */
		foreignKey: theirs.fullAccessKey,
		environmentId: ours.environment.id,
		foreignEnvironmentId: theirs.environment.id,
		actor: systemActor(ours.environment.id, ours.environment.accountId),
		foreignActor: systemActor(theirs.environment.id, theirs.environment.accountId),
		/** A scoped key of the first environment. */
		scopedKey: (...scopes: Scope[]): string => makeKey({ kind: "SCOPED", displayName: "Scoped", scopes }),
		/** A full-access key that ended a minute ago. */
		expiredKey: (): string =>
			makeKey({ kind: "FULL_ACCESS", displayName: "Ended", expiresAt: (clock.at - 60_000) as Instant }),
	};

	function makeKey(input: NewKey): string {
		return transactions.write(systemActor(""), (work) => createKey(work, ours.environment.id, input).secret);
	}
}

export type World = ReturnType<typeof openWorld>;

/** A file of `lines` characters: for bodies and ids that are too long. */
export const longText = (length: number): string => "x".repeat(length);
