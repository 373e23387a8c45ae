import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ClockView } from "../../../test-clocks/schema";
import { send } from "../../api";
import { Card, Facts, Loaded } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Badge, clockPath, When } from "../../kit/values";
import { t as clockTexts } from "../../messages/clock";
import { t } from "../../messages/settings";
import { may } from "../../session";
import { ClockActions } from "../clock/clock-bar";

export function ClockSettings() {
	const client = useQueryClient();
	const freeze = useMutation({
		mutationFn: (now: string) => send("POST", clockPath, { now }),
		onSuccess: () => client.invalidateQueries(),
	});
	return (
		<Loaded<ClockView> path={clockPath} lines={3}>
			{(clock) => (
				<Card title={t.clock} text={t.clockText}>
					<Facts
						of={{
							[t.now]: <When at={clock.now} />,
							[t.clock]: (
								<Badge tone={clock.isFrozen ? "warn" : "good"}>
									{clock.isFrozen ? clockTexts.frozen : clockTexts.running}
								</Badge>
							),
							[clockTexts.due]: clock.nextDueAt ? <When at={clock.nextDueAt} /> : t.nothingDue,
						}}
					/>
					{may("ENVIRONMENT:WRITE") && (
						<div className="actions">
							{clock.isFrozen ? (
								<ClockActions clock={clock} />
							) : (
								<button type="button" className="solid" onClick={() => freeze.mutate(clock.now)}>
									{t.freeze}
								</button>
							)}
						</div>
					)}
					<Problem error={freeze.error} />
				</Card>
			)}
		</Loaded>
	);
}
