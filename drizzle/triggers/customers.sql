DELETE FROM customer_counts;
--> statement-breakpoint
INSERT INTO customer_counts SELECT environment_id, count(*) FROM customers WHERE archived_at IS NULL GROUP BY environment_id;
--> statement-breakpoint
CREATE TRIGGER customers_counted_insert AFTER INSERT ON customers WHEN NEW.archived_at IS NULL BEGIN
	INSERT INTO customer_counts VALUES (NEW.environment_id, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER customers_counted_delete AFTER DELETE ON customers WHEN OLD.archived_at IS NULL BEGIN
	UPDATE customer_counts SET count = count - 1 WHERE environment_id = OLD.environment_id;
END;
--> statement-breakpoint
CREATE TRIGGER customers_counted_update AFTER UPDATE OF archived_at ON customers
WHEN (OLD.archived_at IS NULL) <> (NEW.archived_at IS NULL) BEGIN
	INSERT INTO customer_counts VALUES (NEW.environment_id, NEW.archived_at IS NULL)
	ON CONFLICT DO UPDATE SET count = count + CASE WHEN NEW.archived_at IS NULL THEN 1 ELSE -1 END;
END;
