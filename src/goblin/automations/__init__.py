"""What the producers in `.goblin/automations/` stand on: the card they write and the report they read."""
