import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { ClockView, TurnedClockView } from "../../../test-clocks/schema";
import { send } from "../../api";
import { ConfirmButton } from "../../kit/dialog";
import { formatNumber } from "../../kit/format";
import { useOne } from "../../kit/list";
import { When } from "../../kit/money";
import { Card, Facts, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Badge } from "../../kit/status";
import { t } from "../../messages/settings";
import { currentEnvironmentId, may } from "../../session";

export function ClockSettings() {
	const path = `/environments/${currentEnvironmentId()}/clock`;
	const { data: clock, error, refetch } = useOne<ClockView>(path);
	if (error) return <Problem error={error} retry={() => void refetch()} />;
	if (!clock) return <Skeleton />;
	return (
		<Card title={t.clock} text={t.clockText}>
			<Facts
				of={[
					[t.now, <When key="now" at={clock.now} />],
					[
						t.clock,
						<Badge key="clock" tone={clock.isFrozen ? "warn" : "good"}>
							{clock.isFrozen ? t.clockFrozen : t.clockWall}
						</Badge>,
					],
					[t.nextDue, clock.nextDueAt ? <When key="due" at={clock.nextDueAt} /> : t.nothingDue],
				]}
			/>
			{may("ENVIRONMENT:WRITE") && <Turn clock={clock} path={path} />}
		</Card>
	);
}

const durations = [
	{ value: "P1D", label: t.day },
	{ value: "P7D", label: t.week },
	{ value: "P1M", label: t.month },
	{ value: "P1Y", label: t.year },
];

function Turn({ clock, path }: { readonly clock: ClockView; readonly path: string }) {
	const [by, setBy] = useState("P1M");
	const id = useId();
	const client = useQueryClient();
	const turn = useMutation({
		mutationFn: async (body: object) => (await send<{ data: TurnedClockView }>("POST", path, body)).data,
		onSuccess: () => client.invalidateQueries(),
	});
	const failures = turn.data?.failures?.length ?? 0;
	return (
		<>
			<div className="actions">
				{clock.isFrozen ? (
					<>
						<label className="choice" htmlFor={id}>
							{t.advanceBy}
							<select id={id} value={by} onChange={(event) => setBy(event.target.value)}>
								{durations.map(({ value, label }) => (
									<option key={value} value={value}>
										{label}
									</option>
								))}
							</select>
						</label>
						<button
							type="button"
							className="solid"
							disabled={turn.isPending}
							onClick={() => turn.mutate({ advanceBy: by })}
						>
							{t.turn}
						</button>
						<ConfirmButton
							label={t.release}
							title={t.releaseTitle}
							says={<p>{t.releaseSays}</p>}
							perform={() => send("DELETE", path)}
						/>
					</>
				) : (
					<button type="button" className="solid" onClick={() => turn.mutate({ now: clock.now })}>
						{t.freeze}
					</button>
				)}
			</div>
			<Problem error={turn.error} />
			{turn.data && (
				<p className={failures > 0 ? "note warn" : "note"}>
					{t.turned({ steps: formatNumber(turn.data.steps) })}{" "}
					{failures > 0 && t.turnedFailures({ count: formatNumber(failures) })}
				</p>
			)}
		</>
	);
}
