import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ClockView, TurnedClockView } from "../../../test-clocks/schema";
import { send } from "../../api";
import { ConfirmButton, confirmation, Dialog } from "../../kit/dialog";
import { formatDateTime, formatNumber } from "../../kit/format";
import { Icon } from "../../kit/icons";
import { Problem } from "../../kit/problem";
import { toast } from "../../kit/toasts";
import { clockPath, useClock } from "../../kit/values";
import { t } from "../../messages/clock";
import { may } from "../../session";

const lengths = ["P1D", "P1W", "P1M", "P1Y"] as const;

/** The clock of a sandbox, with the button that advances it. */
export function ClockBar() {
	const { data: clock } = useClock();
	if (!clock) return null;
	return (
		<section className={clock.isFrozen ? "clock frozen" : "clock"} aria-label={t.title}>
			<Icon name="clock" />
			<span className="strong">{clock.isFrozen ? t.frozen : t.running}</span>
			<time dateTime={clock.now}>{formatDateTime(clock.now)}</time>
			{clock.nextDueAt && (
				<span className="quiet wide">
					{t.due}: {formatDateTime(clock.nextDueAt)}
				</span>
			)}
			{may("ENVIRONMENT:WRITE") && (
				<span className="actions">
					<ClockActions clock={clock} />
				</span>
			)}
		</section>
	);
}

/** The buttons that advance a clock and return it to real time. */
export const ClockActions = ({ clock }: { readonly clock: ClockView }) => (
	<>
		{clock.isFrozen && <ConfirmButton {...confirmation(t, "release")} perform={["DELETE", clockPath]} />}
		<AdvanceButton nextDueAt={clock.nextDueAt} />
	</>
);

function AdvanceButton({ nextDueAt }: { readonly nextDueAt: string | null }) {
	const [isOpen, setOpen] = useState(false);
	const [length, setLength] = useState<string>("P1M");
	const client = useQueryClient();
	const advance = useMutation({
		mutationFn: () =>
			send<{ data: TurnedClockView }>(
				"POST",
				clockPath,
				length === "next" && nextDueAt ? { now: nextDueAt } : { advanceBy: length },
			),
		onSuccess: async ({ data }) => {
			await client.invalidateQueries();
			toast(t.turned({ now: formatDateTime(data.now), steps: formatNumber(data.steps) }));
			if (!data.failures?.length) setOpen(false);
		},
	});
	const close = () => {
		setOpen(false);
		advance.reset();
	};
	return (
		<>
			<button type="button" onClick={() => setOpen(true)}>
				{t.turn}
			</button>
			<Dialog title={t.turn} isOpen={isOpen} onClose={close}>
				<p className="quiet">{t.text}</p>
				<label className="field">
					<span className="strong">{t.how}</span>
					<select value={length} onChange={({ target }) => setLength(target.value)}>
						{nextDueAt && <option value="next">{`${t.next} (${formatDateTime(nextDueAt)})`}</option>}
						{lengths.map((one) => (
							<option key={one} value={one}>
								{t[one]}
							</option>
						))}
					</select>
				</label>
				{advance.isPending && <p role="status">{t.turning}</p>}
				<Problem error={advance.error} />
				<Failures of={advance.data?.data.failures} />
				<footer>
					<button type="button" onClick={close}>
						{t.cancel}
					</button>
					<button type="button" className="solid" disabled={advance.isPending} onClick={() => advance.mutate()}>
						{t.turn}
					</button>
				</footer>
			</Dialog>
		</>
	);
}

const Failures = ({ of }: { readonly of: TurnedClockView["failures"] }) =>
	of && of.length > 0 ? (
		<div className="note warn">
			<div>
				<p className="strong">{t.failures}</p>
				<ul>
					{of.map(({ error, ...about }) => (
						<li key={`${error} ${Object.values(about).join(" ")}`}>
							<code>{Object.values(about).join(" ")}</code> {error}
						</li>
					))}
				</ul>
			</div>
		</div>
	) : null;
