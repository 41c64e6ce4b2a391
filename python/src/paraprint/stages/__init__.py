"""What drivers of a divided run share, whatever they run on: tasks, stored data, and which stages exchange what.

job_array.py is a driver itself, for processes that share a folder: `python -m paraprint.stages --help`.
"""
