"""Changes of parsed JSON by which tests break files: each function returns one that changes what it gets."""


def put(value, *keys):
    def change(file):
        for key in keys[:-1]:
            file = file[key]
        file[keys[-1]] = value
    return change


def drop(*keys):
    def change(file):
        for key in keys[:-1]:
            file = file[key]
        del file[keys[-1]]
    return change
