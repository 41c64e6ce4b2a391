"""What schedulers of a divided run share, whatever they run on: which stages exchange which data."""
