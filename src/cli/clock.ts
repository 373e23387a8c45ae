import { Command, InvalidArgumentError } from "commander";
import { chooseEnvironment } from "../areas/access/operations";
import { systemActor } from "../areas/access/rules.actors";
import { assertCurrent, openFolder } from "../files";
import { folderSecret } from "../folder/secret";
import { openLog } from "../http/log";
import { type Instant, toIso } from "../kernel/clock";
import type { Actor, Transactions } from "../kernel/work";
import { timeSlices } from "../tasks/time-slices";
import type { ClockBody, ClockView } from "../test-clocks/schema";
import type { CliContext } from "./context";
import { environmentOption, lockUnlessServed, operator, readInstant } from "./open-folder";

// The commands load these modules when they run.
const operations = () => import("../test-clocks/operations");
const schemas = () => import("../test-clocks/schema");

interface Options {
	readonly environment?: string;
}

/** The commands for test clocks of sandboxes, with the same operations as the routes. */
export function clockCommand(context: CliContext): Command {
	const clock = new Command("clock").description(
		"The test clock of a sandbox. Works on a stopped and on a running server, which sees the change at once.",
	);
	clock
		.command("show")
		.description("the environment's time, and when something falls due next")
		.addOption(environmentOption())
		.action((options: Options) =>
			inEnvironment(context, options, async (transactions, actor) => {
				const { showClock } = await operations();
				context.print(describe(transactions.read(actor, showClock)));
			}),
		);
	clock
		.command("freeze")
		.description("stop the environment's clock; what is due by then happens first")
		.option("--at <instant>", "the time at which it stops, ISO 8601; now when left out", readInstant)
		.addOption(environmentOption())
		.action((options: Options & { at?: Instant }) =>
			turn(context, options, options.at === undefined ? {} : { now: toIso(options.at) }),
		);
	clock
		.command("advance")
		.description("turn the clock forward; everything that falls due on the way happens at once, in order")
		.argument("[duration]", "ISO 8601, such as P1M or P1Y2DT3H")
		.option("--to <instant>", "the time to turn it to, ISO 8601, instead of a duration", readInstant)
		.addOption(environmentOption())
		.action(async (duration: string | undefined, { to, ...options }: Options & { to?: Instant }) =>
			turn(context, options, await readTarget(duration, to)),
		);
	clock
		.command("release")
		.description("go back to the wall clock, once that has come as far as the frozen one")
		.addOption(environmentOption())
		.action((options: Options) =>
			inEnvironment(context, options, async (transactions, actor) => {
				const { releaseClock } = await operations();
				context.print(describe(transactions.write(actor, releaseClock)));
			}),
		);
	return clock;
}

async function readTarget(duration: string | undefined, to: Instant | undefined): Promise<ClockBody> {
	if ((duration === undefined) === (to === undefined))
		throw new InvalidArgumentError("Give either a duration or --to, such as `tollgate clock advance P1M`.");
	if (to !== undefined) return { now: toIso(to) };
	const { durationExpected, parseDuration } = await schemas();
	if (duration === undefined || !parseDuration(duration))
		throw new InvalidArgumentError(`The duration ${durationExpected}.`);
	return { advanceBy: duration };
}

/** Counts and charges events without a server: due steps need totals and wallets that have caught up with the log. */
async function turn(context: CliContext, options: Options, change: ClockBody): Promise<void> {
	const folder = context.config().dataDir;
	assertCurrent(folder);
	const unlock = lockUnlessServed(folder);
	try {
		await inEnvironment(context, options, async (transactions, actor) => {
			if (unlock) await catchUpWithLog(folder, transactions);
			const { advanceClock } = await operations();
			const turning = { transactions, turns: timeSlices(), actor, isStopping: () => false, onFailure: () => {} };
			const { steps, failures = [], ...clock } = await advanceClock(turning, change);
			context.print(`${describe(clock)}; ${steps} steps`);
			for (const { subscriptionId, error } of failures) context.print(`failed  ${subscriptionId}  ${error}`);
		});
	} finally {
		unlock?.();
	}
}

async function catchUpWithLog(folder: string, transactions: Transactions): Promise<void> {
	const { countUsage } = await import("../areas/usage/operations.offline");
	await countUsage(folder);
	const { chargeLoggedEvents } = await import("../areas/credits/charging/events/operations.offline");
	await chargeLoggedEvents({ transactions, secret: folderSecret(folder), log: openLog("error") });
}

const describe = ({ now, isFrozen, nextDueAt }: ClockView): string =>
	`${now}  ${isFrozen ? "frozen" : "wall clock"}  ${nextDueAt === null ? "nothing is due" : `next due ${nextDueAt}`}`;

/** Returns the actor of the service in the named environment: the owner of the folder may act as it. */
async function inEnvironment(
	{ config }: CliContext,
	{ environment }: Options,
	body: (transactions: Transactions, actor: Actor) => Promise<void>,
): Promise<void> {
	const { db, transactions } = openFolder(config().dataDir);
	try {
		const { id, accountId } = transactions.read(operator, (work) => chooseEnvironment(work, environment));
		await body(transactions, systemActor(id, accountId));
	} finally {
		db.$client.close();
	}
}
