import type { World } from "./world";

/** For tests that count the steps of a clock: no notice waits for its time, such as those of invoices that will be overdue. */
export const withoutNotices = ({ db }: Pick<World, "db">): unknown =>
	db.$client.run(
		"CREATE TRIGGER no_notices AFTER INSERT ON outbox_notices BEGIN DELETE FROM outbox_notices WHERE entity_id = NEW.entity_id; END",
	);
