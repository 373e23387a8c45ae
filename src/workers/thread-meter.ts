import type { IngestQueueOptions } from "../areas/usage/ingest/ingest-queue";
import { wallClock } from "../kernel/clock";
import { Meter } from "../kernel/metrics/meter";
import { descriptorsMax, descriptorsUsed } from "../kernel/storage/descriptors";
import { version } from "../version";

/** The meter of a thread, and the function that its heartbeat calls. */
export interface Measured {
	readonly meter: Meter;
	readonly onBeat: (dueMs: number) => void;
}

/** Makes the meter of this thread, with its CPU time and the delay of its event loop. */
export function meterThread(): Measured {
	const meter = new Meter();
	const delay = meter.histogram("tollgate_event_loop_delay_seconds", {});
	meter.read("tollgate_thread_cpu_seconds_total", {}, () => {
		const { user, system } = process.threadCpuUsage();
		return (user + system) / 1_000_000;
	});
	return { meter, onBeat: (dueMs) => delay.observe(Math.max(0, performance.now() - dueMs) / 1000) };
}

/** Measures the commits of a file. */
export function measureCommits(meter: Meter, file: string): (writes: number, ms: number) => void {
	const took = meter.histogram("tollgate_commit_duration_seconds", { file });
	const shared = meter.histogram("tollgate_commit_writes", { file });
	return (writes, ms) => {
		took.observe(ms / 1000);
		shared.observe(writes);
	};
}

/** Measures the commits of the event log, and counts events and the outcomes of their requests. */
export function measureIngest(meter: Meter): NonNullable<IngestQueueOptions["measure"]> {
	const commit = measureCommits(meter, "events");
	const accepted = meter.counter("tollgate_events_accepted_total", {});
	return (results, newEvents, ms) => {
		commit(results.length, ms);
		accepted.add(newEvents);
		for (const { kind } of results) meter.counter("tollgate_event_requests_total", { outcome: kind }).add();
	};
}

/** Makes the meter of the main thread, with the figures of the process. */
export function meterMain(): Measured {
	const measured = meterThread();
	const { meter } = measured;
	const startedAt = wallClock.now() / 1000 - process.uptime();
	meter.read("tollgate_process_memory_bytes", {}, () => process.memoryUsage.rss());
	meter.read("tollgate_process_cpu_seconds_total", {}, () => {
		const { user, system } = process.cpuUsage();
		return (user + system) / 1_000_000;
	});
	meter.read("tollgate_process_descriptors", {}, () => finiteOr0(descriptorsUsed()));
	meter.read("tollgate_process_descriptors_max", {}, () => finiteOr0(descriptorsMax()));
	meter.read("tollgate_process_start_time_seconds", {}, () => startedAt);
	meter.read("tollgate_build_info", { version }, () => 1);
	return measured;
}

/** Other systems than Linux report no number. */
const finiteOr0 = (number: number): number => (Number.isFinite(number) ? number : 0);
